/**
 * Every call to our own server: S7.1's two headers, no timeout (S7.2), and the answer as it came, whatever it says.
 */
export function send(
  method: string,
  url: string,
  body?: BodyInit | null,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method,
    body: body ?? null,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      'X-Requested-With': 'XMLHttpRequest',
      'X-XSRF-TOKEN': readCookie('XSRF-TOKEN'),
    },
    ...(signal && { signal }),
  })
}

function readCookie(name: string): string {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : ''
}
