import { sql } from 'kysely'
import { handIn } from '../test/office/hand-in.ts'
import type { Parts } from '../src/server/parts.ts'
import { pdf } from './papers/writing/pdf.ts'

const paper = (title: string, from: string, cvr: string, ...lines: string[]) =>
  pdf({ title, from, reference: `CVR-nr. ${cvr}`, lines: [from, `CVR-nr. ${cvr}`, '', ...lines] })

/** Puts into the inbox what the scanner in the reception and a mail have brought, ready to be sorted. */
export async function fillIntake({ db, storage }: Parts): Promise<void> {
  await handIn(
    { db, storage },
    {
      'Police 2027.pdf': paper(
        'Forsikringspolice 2027',
        'K/S Logistik Taulov',
        '39904411',
        'Police for bygningsforsikring, gældende fra 1. januar 2027',
        'Forsikringen dækker brand, storm og vandskade. Selvrisiko og præmie fremgår af policen.',
      ),
    },
    {
      source: 'mailbox',
      sender: 'Jette Krogh <jette@nordforsikring.example>',
      subject: 'Ny police til K/S Logistik Taulov',
      note: 'Kære Kirsten\n\nHermed policen for 2027. Præmien er uændret.\n\nVenlig hilsen\nJette Krogh\nNord Forsikring',
      pictures: 1,
    },
  )
  await handIn(
    { db, storage },
    {
      'Scan 0001.pdf': paper(
        'Lejekontrakt',
        'K/S Nordhavn Kontorhus',
        '38291041',
        'Lejekontrakt om erhvervslejemål, 2. sal tv.',
        'Udlejer: K/S Nordhavn Kontorhus. Lejer: Fjordens Arkitekter ApS.',
        'Lejen reguleres hvert år efter nettoprisindekset.',
      ),
      'Scan 0002.pdf': paper(
        'Budget 2027',
        'K/S Østerbro Ejendomme',
        '27450911',
        'Budget for regnskabsåret 2027',
        'Budgetteret husleje, driftsudgifter og vedligeholdelse er opgjort af administrator.',
      ),
      'Scan 0003.pdf': paper(
        'Brev',
        'Frederiksberg Kommune',
        '11259979',
        'Vedrørende ejendommens affaldsordning.',
        'Ordningen ændres fra 1. marts 2027.',
      ),
    },
    { sender: 'Receptionen' },
  )
  await handIn(
    { db, storage },
    {
      'Kvittering.pdf': paper(
        'Kvittering for registrering af reelle ejere',
        'Erhvervsstyrelsen',
        '30928814',
        'Periode: 01.01.2025 - 31.12.2025',
        'Modtaget: 28.05.2026',
        'Kvitteringsnr.: 2026-00418233',
      ),
      // Its layout is not known.
      'Indberetning modtaget.pdf': paper(
        'Oplysningerne er modtaget',
        'Indberetningscentralen',
        '27450911',
        'År, der er oplyst: 2025',
        'Dagen for modtagelsen: 12.03.2026',
        'Vores løbenummer: 77-0412',
      ),
    },
    { source: 'mailbox', sender: 'Virk <noreply@virk.example>', subject: 'Kvittering fra Erhvervsstyrelsen' },
  )
  // Demo people get no mails.
  await sql`update inbox set announced_at = now()`.execute(db)
  await sql`
    update submissions set created_at = now() - interval '35 minutes'
    where id in (select submission_id from intakes where source = 'mailbox')`.execute(db)
}
