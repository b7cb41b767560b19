import { sql, type RawBuilder } from 'kysely'
import { MAIL_RATE_NAMES } from '../../accounts/users/mail-rate.ts'
import { COLUMN_FIELDS } from '../../accounts/users/user.fields.ts'
import { ROLE_NAMES } from '../../rights.ts'
import { PROJECT_FIELDS } from '../../projects/project/project.fields.ts'
import { STATUS_NAMES } from '../../projects/project/project.ts'
import { EXPECTS_NAMES } from '../../projects/expected/expects.ts'
import { SOURCE_NAMES } from '../../intake/intake.ts'
import { STATE_NAMES } from '../../releases/release/release.ts'
import { RHYTHM_NAMES } from '../../year/obligations/obligation.ts'
import { columnsInDanish, inWords } from '../../server/database/fields.db.ts'
import { SEEN_FOLDERS } from './seen-folders.db.ts'

/** One file with rows: its name, the tables of the database that it is made of, and its columns by their Danish names. */
export type ExportedTable = {
  name: string
  of: readonly string[]
  query: RawBuilder<unknown>
  /** The first column is the id of one of these, and a last column has its directory in the export. */
  path?: 'project' | 'person' | 'folder'
}

const OUTCOMES = {
  sent: 'Sendt',
  nothing: 'Intet at fortælle',
  declined: 'Vil ikke have mails',
  failed: 'Mislykkedes',
}
const INBOX_STATES = { new: 'Ny', taken: 'Taget', done: 'Færdig' }
const DUE_RULES = {
  months: 'Måneder efter perioden',
  day: 'En dag i året efter',
  days: 'Faste dage for kalenderens perioder',
  date: 'Én bestemt dag',
  event: 'Dage efter en hændelse',
}
const REACHES = { fitting: 'Alle projekter, der passer', chosen: 'Kun valgte projekter' }

const OF_PROJECT = sql`projects.id as "Projekt-id", projects.number as "Projektnummer", projects.name as "Projekt"`
const OF_PERSON = sql`users.id as "Person-id", users.name as "Person", users.email as "E-mail"`

/** The tables of the export, apart from the files and the log, which are written on their own. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  {
    name: 'kontoret',
    of: ['office'],
    query: sql`
      select office.name as "Navn", office.contact_person as "Kontaktperson", office.phone as "Telefon", office.email as "E-mail",
        office.needs_approval as "Udsendelser skal godkendes",
        office.outside_tokens as "Investorer og rådgivere må lave API-nøgler",
        office.places_sure as "Sikre papirer lægges på plads af sig selv", saver.id as "Gemt af-id", saver.name as "Gemt af"
      from office left join users as saver on saver.id = office.saved_by`,
  },
  {
    name: 'krav-til-login',
    of: ['factor_demands'],
    query: sql`
      select ${inWords(sql`role`, ROLE_NAMES)} as "Rolle", starts_at as "Totrinslogin kræves fra" from factor_demands order by role`,
  },
  {
    name: 'projekter',
    of: ['projects'],
    path: 'project',
    query: sql`
      select id as "Id", ${columnsInDanish(PROJECT_FIELDS)}, created_at as "Oprettet", updated_at as "Ændret"
      from projects order by number, id`,
  },
  {
    name: 'regnskabsår',
    of: ['accounting_year_changes'],
    query: sql`
      select ${OF_PROJECT}, changes.since as "Fra og med", changes.year_ends as "Regnskabsåret slutter i måned"
      from accounting_year_changes as changes join projects on projects.id = changes.project_id
      order by projects.number, projects.id, changes.since`,
  },
  {
    name: 'mapper',
    of: ['folders'],
    path: 'folder',
    query: sql`
      select folders.id as "Id", case when projects.id is not null then 'Projekt' when users.id is not null then 'Person'
          else 'Skabelon' end as "Hører til", ${OF_PROJECT}, users.id as "Person-id", users.name as "Person", folders.name as "Navn",
        array_to_string(folders.sub_names, E'\n') as "Undernavne", folders.place as "Plads",
        folders.visible_to_investors as "Deles med investorer", folders.shared_at as "Delt siden",
        ${inWords(sql`folders.expects`, EXPECTS_NAMES)} as "Forventes", folders.expects_from as "Forventes fra",
        folders.expects_to as "Forventes til", folders.due_months as "Forsinket efter måneder"
      from folders left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
      order by projects.number nulls last, projects.id, users.name nulls last, users.id, folders.place, folders.id`,
  },
  {
    name: 'personer',
    of: ['users', 'user_numbers'],
    path: 'person',
    query: sql`
      select id as "Id", ${columnsInDanish(COLUMN_FIELDS)},
        (select string_agg(number, ', ' order by number) from user_numbers where user_id = users.id) as "Numre",
        (select string_agg(projects.number, ', ' order by projects.number) from project_members
          join projects on projects.id = project_id where user_id = users.id) as "Projekter",
        deactivated_at is null as "Aktiv", deactivated_at as "Deaktiveret", created_at as "Oprettet",
        password_hash is not null or has_identity as "Har valgt login", has_factor as "Totrinslogin",
        ${inWords(sql`mail_rate`, MAIL_RATE_NAMES)} as "Mails om nye filer", told_of_guessing as "Mails om forsøg på login",
        told_of_troubles as "Mails om driften",
        files_seen_at as "Egne filer læst til"
      from users order by name, id`,
  },
  {
    name: 'medlemmer',
    of: ['project_members'],
    query: sql`
      select ${OF_PROJECT}, ${OF_PERSON}, ${inWords(sql`users.role`, ROLE_NAMES)} as "Rolle", since as "Medlem siden",
        seen_at as "Læst til"
      from project_members join projects on projects.id = project_id join users on users.id = user_id
      order by projects.number, projects.id, users.name, users.id`,
  },
  {
    name: 'givet-adgang',
    of: ['lendings'],
    query: sql`
      select lendings.id as "Id", lender.id as "På vegne af-id", lender.name as "På vegne af", adviser.id as "Rådgiver-id",
        adviser.name as "Rådgiver", adviser.email as "Rådgivers e-mail", is_everything as "Alt",
        array_to_string(folder_names, E'\n') as "Mapper", with_own_files as "Egne filer", gets_mails as "Får mails",
        lendings.created_at as "Givet", until as "Gælder indtil", ended_at as "Taget tilbage"
      from lendings join users as lender on lender.id = lender_id join users as adviser on adviser.id = adviser_id
      order by lendings.id`,
  },
  { name: 'hvem-ser-hvad', of: [], query: SEEN_FOLDERS },
  {
    name: 'læst',
    of: ['file_reads'],
    query: sql`
      select file_id as "Fil-id", files.name as "Fil", ${OF_PERSON}, at as "Åbnet eller hentet"
      from file_reads join users on users.id = user_id join files on files.id = file_id order by file_id, at, users.id`,
  },
  {
    name: 'rapporter',
    of: ['report_companies', 'reports'],
    query: sql`
      select ${OF_PERSON}, companies.id as "Række-id", companies.place as "Plads", companies.name as "Selskab",
        companies.cvr as "CVR-nr.", share as "Ejerandel %", year as "Regnskabsår", contribution as "Indskud",
        liability as "Resthæftelse", equity as "Egenkapital", debt as "Gæld", result as "Årets resultat", locked as "Låst",
        saved_at as "Rapport gemt", saver.id as "Gemt af-id", saver.name as "Gemt af"
      from reports join users on users.id = reports.user_id
      left join report_companies as companies on companies.user_id = users.id
      left join users as saver on saver.id = saved_by
      order by users.name, users.id, companies.place, companies.id`,
  },
  {
    name: 'gemte-uploads',
    of: ['submissions'],
    query: sql`
      select submissions.id as "Id", ${OF_PERSON}, submissions.created_at as "Gemt", form as "Formular",
        skipped::text as "Sprunget over"
      from submissions left join users on users.id = user_id order by submissions.id`,
  },
  {
    name: 'udsendelser',
    of: ['releases'],
    query: sql`
      select releases.id as "Id", releases.name as "Navn", submission_id as "Upload-id", ${inWords(sql`state`, STATE_NAMES)} as "Tilstand",
        maker.id as "Lavet af-id", maker.name as "Lavet af", made_at as "Lavet", publish_at as "Udgives", planner.id as "Planlagt af-id", planner.name as "Planlagt af",
        asked_at as "Godkendelse ønsket", asker.id as "Godkendelse ønsket af-id", asker.name as "Godkendelse ønsket af", approver.id as "Godkendt af-id", approver.name as "Godkendt af", approved_at as "Godkendt", rejecter.id as "Afvist af-id", rejecter.name as "Afvist af",
        rejected_at as "Afvist", rejection as "Grund", publisher.id as "Udgivet af-id", publisher.name as "Udgivet af", published_at as "Udgivet",
        reached as "Nåede personer", message as "Besked", is_for_everybody as "Mail til alle", announced_at as "Mails fundet",
        recaller.id as "Trukket tilbage af-id", recaller.name as "Trukket tilbage af", recalled_at as "Trukket tilbage"
      from releases join users as maker on maker.id = made_by
      left join users as planner on planner.id = planned_by left join users as asker on asker.id = asked_by
      left join users as approver on approver.id = approved_by
      left join users as rejecter on rejecter.id = rejected_by left join users as publisher on publisher.id = published_by
      left join users as recaller on recaller.id = recalled_by
      order by releases.id`,
  },
  {
    name: 'udsendelser-mails',
    of: ['release_people', 'recall_mails'],
    query: sql`
      select mails.release_id as "Udsendelse-id", ${OF_PERSON}, mails.kind as "Mail",
        ${inWords(sql`mails.outcome`, OUTCOMES)} as "Udfald", mails.told_at as "Tidspunkt", mails.reason as "Grund",
        mails.message as "Besked", mails.asked_at as "Bestilt"
      from (
        select release_id, user_id, case when is_reminder then 'Påmindelse' else 'Ny fil' end as kind, outcome, told_at, reason,
          null as message, null::timestamptz as asked_at from release_people
        union all
        select release_id, user_id, 'Trukket tilbage', outcome, told_at, reason, message, asked_at from recall_mails
      ) as mails join users on users.id = mails.user_id
      order by mails.release_id, users.name, users.id, mails.kind`,
  },
  {
    name: 'udsendelser-slettede-filer',
    of: ['removed_release_files'],
    query: sql`
      select release_id as "Udsendelse-id", file_id as "Fil-id", name as "Navn", version as "Version", removed_at as "Slettet for altid"
      from removed_release_files order by release_id, file_id`,
  },
  {
    name: 'indbakke',
    of: ['inbox'],
    query: sql`
      select inbox.submission_id as "Upload-id", sender.id as "Sendt af-id", sender.name as "Sendt af", submissions.created_at as "Sendt",
        files_count as "Filer", ${inWords(sql`state`, INBOX_STATES)} as "Tilstand", changer.id as "Taget af-id", changer.name as "Taget af", changed_at as "Ændret"
      from inbox join submissions on submissions.id = inbox.submission_id left join users as sender on sender.id = submissions.user_id
      left join users as changer on changer.id = changed_by
      order by inbox.submission_id`,
  },
  {
    name: 'indleveringer',
    of: ['intakes', 'intake_files'],
    query: sql`
      select intakes.submission_id as "Upload-id", ${inWords(sql`source`, SOURCE_NAMES)} as "Kilde", sender as "Angivet afsender",
        subject as "Emne", note as "Tekst", pictures as "Små billeder, der ikke er taget med",
        (select string_agg(concat_ws(': ', each ->> 'name', each ->> 'why'), E'\n') from jsonb_array_elements(untaken) as each)
          as "Ikke taget med", submissions.created_at as "Modtaget", arrived_at as "I indbakken siden",
        intake_files.id as "Indleveret fil-id",
        intake_files.name as "Navn", intake_files.size as "Bytes", intake_files.type as "Type", filed_at as "Gemt", file_id as "Fil-id", removed_at as "Opgivet"
      from intakes join submissions on submissions.id = intakes.submission_id
      left join intake_files on intake_files.submission_id = intakes.submission_id
      order by intakes.submission_id, intake_files.id`,
  },
  {
    name: 'papirer',
    of: ['year_cells'],
    query: sql`
      select ${OF_PROJECT}, folders.id as "Mappe-id", folders.name as "Mappe", period as "Periode",
        cells.files_count as "Filer", cells.shown_count as "Udgivne filer"
      from year_cells as cells join folders on folders.id = cells.folder_id join projects on projects.id = cells.project_id
      order by projects.number, projects.id, folders.place, folders.id, period`,
  },
  {
    name: 'pligter',
    of: ['obligations'],
    query: sql`
      select obligations.id as "Id", code as "Kode", title as "Pligt", explanation as "Forklaring", source as "Kilde",
        source_url as "Kildens adresse", ${inWords(sql`rhythm`, RHYTHM_NAMES)} as "Hvor tit", holds_since as "Gælder siden",
        holds_until as "Gælder til og med", watched_from as "Følg frister fra og med",
        ${inWords(sql`due_rule`, DUE_RULES)} as "Frist", due_months as "Fristens måneder", due_day as "Fristens dag",
        due_month as "Fristens måned", due_on as "Fristens dato",
        array_to_string(due_days, ', ') as "Fristens faste dage", after_days as "Dage efter hændelsen", ${inWords(sql`reach`, REACHES)} as "Binder",
        (select string_agg(${inWords(sql`status`, STATUS_NAMES)}, ', ') from unnest(statuses) as status) as "Status",
        more_than as "Flere investorer end", folder_name as "Mappe",
        is_filing as "Indberettes", unless_id as "Undtagen projekter med pligt-id", users.id as "Ansvarlig-id", users.name as "Ansvarlig",
        array_to_string(remind_days, ', ') as "Påmindelser, dage før", is_active as "Slået til"
      from obligations left join users on users.id = responsible_id order by obligations.id`,
  },
  {
    name: 'pligter-projekter',
    of: ['obligation_choices'],
    query: sql`
      select obligation_id as "Pligt-id", title as "Pligt", ${OF_PROJECT}, is_bound as "Bundet"
      from obligation_choices join obligations on obligations.id = obligation_id join projects on projects.id = project_id
      order by obligation_id, projects.number, projects.id`,
  },
  {
    name: 'frister',
    of: ['duties'],
    query: sql`
      select duties.id as "Id", obligation_id as "Pligt-id", title as "Pligt", ${OF_PROJECT}, period as "Periode",
        starts_on as "Begynder", ends_on as "Slutter", duties.due_on as "Frist", folder_id as "Mappe-id", folders.name as "Mappe",
        is_drafted as "Ligger som kladde", excuse as "Undtaget, fordi", excuser.id as "Undtaget af-id",
        excuser.name as "Undtaget af", excused_at as "Undtaget",
        responsible.id as "Ansvarlig-id", responsible.name as "Ansvarlig", is_responsible_given as "Ansvarlig valgt for fristen", done_at as "Udført", doer.id as "Udført af-id", doer.name as "Udført af", is_by_paper as "Udført af et papir",
        duties.note as "Note"
      from duties left join obligations on obligations.id = obligation_id join projects on projects.id = duties.project_id
      left join folders on folders.id = folder_id left join users as excuser on excuser.id = excused_by
      left join users as responsible on responsible.id = duties.responsible_id left join users as doer on doer.id = done_by
      order by duties.due_on, duties.id`,
  },
  {
    name: 'kvitteringer',
    of: ['receipts'],
    query: sql`
      select id as "Id", duty_id as "Frist-id", authority as "Fra", number as "Nummer", received_on as "Modtaget",
        cvr as "CVR-nr.", starts_on as "Begynder", ends_on as "Slutter", layout as "Layout",
        array_to_string(codes, ' ') as "Pligter", obligation_id as "Pligt-id", fault as "Fejl", is_refused as "Lagt væk",
        sha256 as "Papirets SHA-256", found_at as "Fundet"
      from receipts order by id`,
  },
  {
    name: 'layouts-af-kvitteringer',
    of: ['receipt_layouts'],
    query: sql`
      select receipt_layouts.id as "Id", obligation_id as "Pligt-id", title as "Begynder med", labels::text as "Ledetekster",
        taught_by as "Vist af-id", users.name as "Vist af", taught_at as "Vist"
      from receipt_layouts left join users on users.id = taught_by order by receipt_layouts.id`,
  },
  {
    name: 'søgeord',
    of: ['search_words'],
    query: sql`
      select line + 1 as "Linje", word as "Ord" from search_words order by line, place`,
  },
  {
    name: 'gemte-søgninger',
    of: ['saved_searches'],
    query: sql`
      select saved_searches.id as "Id", ${OF_PERSON}, saved_searches.name as "Navn", query as "Søgning", saved_searches.created_at as "Gemt"
      from saved_searches join users on users.id = user_id order by saved_searches.id`,
  },
]
