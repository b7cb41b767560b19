// The words that `danish-text.ts` builds its pages of: bent and put together as Danish does, they become some hundred thousand.

const list = (words: string) => words.trim().split(/\s+/)

/** Function words, the most common first, as in any Danish text. */
export const SMALL_WORDS = list(`
  og i af at er til for på der med den en som det de et har ikke fra om kan ved skal eller var vil efter blev men så
  være være under over også hvis når mellem sig hvor denne dette disse alle samt uden inden mod hvor ud op ind være
  bliver blive kun nu her end mere meget andre anden andet hver hvert hele alene dog således herunder dermed derfor
  fordi mens indtil siden allerede endnu igen selv sin sit sine deres vi os vores jer de dem han hun man ingen intet
  noget nogle mange flere få færre mest mindst højst ca bl a f eks jf pr kr pct nr stk hhv inkl ekskl vedr mv mfl osv
  hverken enten både desuden endvidere ligeledes hermed herved derved hvorefter hvoraf hvorved såfremt idet trods
  ifølge foran bag bagved udenfor indenfor omkring gennem langs ad hos per via blandt foruden undtagen imod
  måtte må kunne skulle ville burde bør tør havde haft gjort gør gøre ske sker skete`)

/** Nouns by how they bend: their endings for the definite, the plural and the definite plural. */
export const NOUNS: { endings: [string, string, string]; stems: string[] }[] = [
  {
    endings: ['en', 'er', 'erne'],
    stems: list(`
      kontrakt rapport investor revisor administrator faktura konto direktør ingeniør arkitekt advokat notar kurator debitor
      kreditor garant leverandør entreprenør operatør inspektør formand bestyrelse forening afdeling bygning afgift
      forsikring betaling regning regulering vurdering måling beregning ordning retning ledning samling stilling handling
      ændring bevilling tilladelse begyndelse forpligtelse anmodning indkaldelse opgørelse afgørelse undersøgelse beskrivelse
      godkendelse anvendelse overtagelse udvidelse fordeling udlodning afregning opkrævning finansiering prioritering
      investering realisering likvidation konvertering periode situation position kommission instruktion funktion produktion
      konstruktion installation dokumentation kommunikation reklamation garanti energi økonomi strategi teknologi kapacitet
      kvalitet aktivitet likviditet rentabilitet soliditet kommunalbestyrelse myndighed sikkerhed mulighed nødvendighed
      virksomhed lejlighed hastighed mængde rettighed gyldighed egenskab kundskab provision pension region religion mission
      station ration tradition kondition disposition proposition reserve obligation aktie akt sag tekst liste post
      brand maskine motor traktor generator transformator turbine vinge antenne kabine skorsten facade terrasse altan
      garage kælder etage trappe elevator korridor hal port rampe kaj mole ø strand skov mark eng mose have park plads
      vej bro tunnel bane linje rute færge container tank pumpe ventil ledelse proces procedure model metode analyse
      statistik grafik teknik klinik fabrik butik republik musik politik kritik logik etik praksis doktor lektor rektor
      professor student assistent konsulent agent præsident dirigent kandidat soldat pilot kaptajn officer matros
      regnskabsperiode selskabsform skattepligt hæftelse kapitalandel ejerandel andel part modpart tvist klausul paragraf
      artikel bestemmelse regel lovgivning bekendtgørelse vejledning vejning måned uge dag aften morgen sommer vinter`),
  },
  {
    endings: ['en', 'e', 'ene'],
    stems: list(`
      dag ting vej bank sag gang drift skat vind sum frist dom pligt rest magt kraft last plan grund sten båd bil fisk
      hest stol krog ring væg væv kurs pris løn stand form norm skade havn by hal del værdi fest tur kyst kant kasse
      krise linse prøve klage gave prise`),
  },
  {
    endings: ['n', 'r', 'rne'],
    stems: list(`
      leje rente ejer lejer udlejer køber sælger låntager långiver forpagter formue mappe ramme side linje række uge
      måde kilde opgave ydelse rejse pause prøve skibsmægler mægler tømrer murer maler snedker gartner håndværker
      medarbejder leder arbejder bruger kunde borger nabo kommune gruppe klasse kæde kurve kerne klokke kasse pakke
      flade højde bredde længde dybde tykkelse vægte mølle ovne lampe kappe trappe bølge ulykke skade klage krone øre
      time minutte tjeneste ressource reserve branche aftale samtale omtale tilsage indtægtskilde udgave indgave hylde
      bygherre rådgiver avance balance finans alliance license police terrasse service`),
  },
  {
    endings: ['et', 'er', 'erne'],
    stems: list(`
      selskab regnskab budget projekt dokument kontor arkiv register system program firma marked område anlæg beløb honorar
      gebyr overskud underskud provenu depositum indskud udlæg tilskud forskud areal lokale hotel hospital bibliotek museum
      center apparat instrument materiale mineral metal papir stof produkt objekt subjekt initiativ alternativ perspektiv
      motiv direktiv middel tilfælde forhold indhold forbehold ophold vilkår ansvar forsvar svar krav bevis kursus udvalg
      råd ministerium styrelse departement parlament amt distrikt sogn matrikel ejerlav skøde pantebrev gældsbrev certifikat
      diplom resultat referat mandat format citat plakat apparat inventar kreditinstitut institut universitet laboratorium
      gymnasium akvarium stadium medium album datum forum minimum maksimum kvantum`),
  },
  {
    endings: ['et', '', 'ene'],
    stems: list(`
      år mål tal hus lån køb salg brev møde bord rum tag gulv loft vindue fald kald valg slag lag skib vand land sted
      bud tilbud forbud påbud afbud krav træ blad dyr får svin føl barn folk navn ord punkt spor hold skel hegn dige
      vand rør kabel stik led felt net værk kraftværk vandværk fællesskab ejerskab medlemskab venskab mesterskab lederskab
      fradrag bidrag tillæg oplæg anlæg nedslag forslag indtryk udtryk aftryk indgreb begreb overgreb udslip tilsyn eftersyn
      hensyn forsyn besøg forsøg opslag udsnit gennemsnit afsnit kvartal halvår regnskabsår kalenderår skatteår`),
  },
]

export const VERBS = list(`
  betal regn mål skriv læs send hent bring tag giv sæt læg stil stå gå kom kør flyt fyld bygg riv maler vask rens tegn
  beskriv vurder kontroller revider godkend indkald vælg stemm beslut udlodd udlej opsig ophør begynd slutt fortsæt ændr
  reguler juster fordel saml del skill tæl vej prøv undersøg analyser dokumenter installer reparer vedligehold forny
  udskift forbedr forring øg mindsk fald stig vend drej træk skub løft sænk åbn lukk lås sikr beskytt forsikr dækk hæft
  garanter kauter låne skyld ej besidd overdrag overtag erhverv sælg køb handl bestill lever modtag opbevar gemm slett
  registrer anmeld oplys orienter informer meddel svar spørg kald ring møt deltag forhandl aftal underskriv bekræft
  afvis anke klag krav forlang anmod ansøg bevilg tillad forbyd straff påbyd`)

export const PREFIXES = list(`
  af an be bi efter for fra frem gen ind med mis ned om op over på sam til tilbage ud under ved videre u`)

export const ADJECTIVES = list(`
  stor lill ny gammel god dårlig høj lav lang kort bred smal dyb tyk tynd tung let stærk svag varm kold hurtig langsom
  dyr billig rig fattig fast løs fri bundet åben lukket hel halv dobbelt enkelt samlet særlig almindelig sædvanlig
  væsentlig uvæsentlig nødvendig mulig umulig gyldig ugyldig lovlig ulovlig skriftlig mundtlig personlig offentlig privat
  kommunal regional national international juridisk økonomisk teknisk praktisk teoretisk politisk historisk geografisk
  skattemæssig regnskabsmæssig driftsmæssig forholdsmæssig forsikringsmæssig erhvervsmæssig månedlig årlig ugentlig
  kvartalsvis daglig foreløbig endelig tidlig sen nuværende kommende tidligere forrige følgende ovenstående nedenstående
  gældende manglende tilstrækkelig utilstrækkelig tilfredsstillende betydelig ubetydelig forventet uventet budgetteret
  realiseret revideret godkendt opgjort indbetalt udbetalt skyldig tilgodehavende hæftende ansvarlig uafhængig afhængig
  nordlig sydlig østlig vestlig dansk svensk norsk tysk engelsk europæisk digital elektronisk mekanisk hydraulisk
  bæredygtig energirigtig miljøvenlig vedvarende fossil lokal central decentral indvendig udvendig øverst nederst`)

export const FIRST_NAMES = list(`
  Anne Peter Mette Lars Kirsten Jens Hanne Niels Søren Maria Thomas Lone Henrik Inge Jørgen Karen Michael Susanne Hans
  Marianne Christian Bente Erik Camilla Martin Gitte Jan Lene Ole Rikke Per Helle Anders Tina Poul Charlotte Rasmus Åse
  Bent Ulla Morten Birgit Kurt Pia Svend Dorthe Mads Ingrid Knud Louise Viggo Asger Ellen Bjørn Signe Emil Freja Oscar`)

export const PLACE_STARTS = list(`
  Nørre Sønder Vester Øster Lille Store Gammel Ny Øvre Nedre Kirke Præste Konge Dronning Strand Skov Eng Mose Ulve Rave
  Hjorte Ørne Svane Lærke Birke Ege Bøge Aske Elle Hassel Linde Pile Rød Hvid Sort Grøn Brede Lange Holme Thor Od Frej
  Ting Hov Vi Sten Sand Ler Kalk Møl Ålle Års Es Hels Kol Vej Ran Hor Aar Fred Sil Her Ski`)

export const PLACE_ENDS = list(`
  gaard skov bjerg holt lund dal kær mose toft rup by torp sted lev inge borg havn vig næs sø å bro høj lyng mark rød
  strup drup bæk have løse balle bølle um`)
