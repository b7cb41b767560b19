import { fold } from './tokens.ts'

/**
 * Words that Danish papers of this field build longer words with. A short word counts as part of a longer one only if
 * the rest begins or ends with one of these: `bil` is in `bilforsikring`, but not in `bilag`. The list is ours and not
 * from the documents, since those would reveal whether a word is in a paper that the reader may not see.
 */
export const PARTS: ReadonlySet<string> = new Set(
  `
  administration administrations adresse advokat afdeling afdrag afgang afgift afkast afregning afskrivning aftale aktie aktiv  aktivitet anke
  anlæg annonce anpart ansvar ansøgning antal anvendelse arbejde areal arkiv arv attest auktion avance balance bank bar barn base bedrift
  begrænsning beholdning beløb bemærkning beregning beretning beskatning beskrivelse bestemmelse bestyrelse bestyrer besøg betaling betingelse
  bevis bidrag bil bilag bind blad bolig bog bonus brev brug bruger budget by bygge bygning bæredygtighed bøde   dag  dato data deklaration
  del depositum depot dialog direktør disposition dok dokument dom drift driver ejendom ejer  el emission energi enhed erhverv erklæring
  erstatning eksamen etage fakta faktura fald familie fast fejl felt finans finansiering firma flade flytning fond fonde forbehold forbrug fordel fordeling fordring forening forespørgsel
  forfald forhold forhandling forklaring form formand formue forpagtning forretning forsikring forslag forstander forsyning forvalter forvaltning forældre fradrag frist fuldmagt
  fusion fører  gang garanti gave gebyr  generator gevinst  godkendelse grad grund grundlag grænse gruppe gæld gård hal handel hus  hæfte hævd have havn halvår
  heste hjemmel hjælp hold honorar hotel  hvile hæftelse højde  id indberetning indbetaling indeks indhold indkaldelse  indskud  indstilling indtægt inflation information
  inspektion institut interesse inventar investering investor jord journal justering kapital kasse kasserer  kendelse klage klasse klausul kode kommandit kommanditist kommune komplementar konto
  kontor kontrakt kontrol konvertering kopi kort korrektion kr kraft kredit kreditor krav kurs kunde kurve kvartal køb køber lager lagt land lands  leje lejer lejlighed leverandør levering  lige likviditet
  linje liste lokale lov lån  løb løn lønning  mandat margin mark marked maskine materiale medlem meddelelse mægler mæglere metode miljø minimum moms møde  mølle måned måling nedskrivning netto niveau nota note
  notat nummer nøgle  næring  obligation omkostning område omsætning opgave opgørelse oplysning opsigelse optagelse option ordning orientering oversigt overskud overtagelse overdragelse pagt panel
  pant parcel park parkering part pension periode person plads plan pligt plan police politi  portefølje post pris procent produktion profil program prognose projekt prospekt protokol provision pulje punkt
  påkrav påtegning  rapport regel register regning regnskab regulativ regulering rejse rekvisition rente  reserve restance resultat resume ret retning returnering revision revisor risiko rum rådgiver rådgivning sag salg
  saldo samling samarbejde selskab  service sikring sikkerhed skat skab skade skema skifte skole skov skrivelse skyld skøde sol specifikation spørgsmål stand standard start statistik status stat stille stiftelse struktur stue styrelse styring støtte
  stævning sum supplement svar system tab tabel tal tekst tid tilbud tiltrædelse tillæg tilsyn time tinglysning ting titel told total transport træk turbine type udbetaling udbud udbytte uddeling udgift udkast
  udlejning udligning udlæg udlån udstyr udvalg udvikling udløb underskrift underskud ur valg valuta vand varme vare vedligeholdelse vedtægt vej vejledning vejr veksel vederlag vilkår vind virksomhed vurdering værdi  værge værk værn vækst ydelse
  formål giver mål rum skib vej ansvarlig bar fri fuld løs mæssig pligtig  år  ægte ændring økonomi
  `
    .trim()
    .split(/\s+/)
    .filter((part) => part.length > 2 || part === 'år')
    .map(fold),
)
