const LEAST = 10
const MOST = 200

// Long enough and still tried first by everybody who guesses.
const COMMON = new Set(
  `1234567890 0123456789 12345678910 123456789a 0987654321 9876543210 1q2w3e4r5t 1qaz2wsx3edc qwertyuiop qwerty12345
  qwertyuiopå qwerty123456 asdfghjklæø asdfghjkl1 password12 password123 password1234 passw0rd123 adgangskode
  adgangskode1 adgangskode123 kodeord123 kodeord1234 mitkodeord hemmeligt123 hemmelig123 velkommen1 velkommen123
  velkommen2024 velkommen2025 velkommen2026 sommer2024 sommer2025 sommer2026 vinter2024 vinter2025 vinter2026
  danmark123 danmark1234 københavn kobenhavn1 kobenhavn123 fodbold123 iloveyou123 letmein123 changeme123
  administrator administrator1 ringbind123 ringbind1234 investor123 kommanditselskab`
    .split(/\s+/)
    .filter(Boolean),
)

/** What is wrong with a new password: length over rules; null when it will do. */
export function passwordFault(
  password: string,
  { email, name }: { email: string; name: string },
): string | null {
  const length = Array.from(password).length
  if (length < LEAST) return `Adgangskoden skal være på mindst ${LEAST} tegn.`
  if (length > MOST) return `Adgangskoden må højst være på ${MOST} tegn.`
  const plain = password.toLowerCase()
  if (new Set(plain).size < 4) return 'Adgangskoden er for let at gætte: Den gentager de samme tegn.'
  if (COMMON.has(plain)) return 'Adgangskoden er for almindelig. Vælg en anden.'
  const own = [email, email.split('@')[0]!, name].map((text) => text.toLowerCase().replaceAll(' ', ''))
  if (own.includes(plain.replaceAll(' ', ''))) return 'Adgangskoden må ikke være dit navn eller din e-mail.'
  return null
}
