/** 'files[a][name]', the name in a form, becomes 'files.a.name'. */
export function dotted(name: string): string {
  return name.replaceAll(/\[([^[\]]*)\]/g, '.$1')
}
