import type { NewCompany } from '../test/make.ts'

type Figures = [
  share: number | null,
  year: number | null,
  contribution: number | null,
  liability: number | null,
  equity: number | null,
  debt: number | null,
  result: number | null,
]

const company = (
  name: string,
  cvr: string | null,
  [share, year, contribution, liability, equity, debt, result]: Figures,
  locked = false,
): NewCompany => ({
  name,
  cvr,
  share,
  year,
  contribution,
  liability,
  equity,
  debt,
  result,
  locked,
})

/** The external companies that some investors own a part of, by the investor's name. */
export const REPORTS: Record<string, NewCompany[]> = {
  'Søren Kjærgaard': [
    company(
      'K/S Hamborg Logistik II',
      '30246179',
      [10, 2025, 850_000, 1_200_000, 24_650_000, 61_300_000, 3_480_000],
      true,
    ),
    company('K/S Rostock Havn', '35171622', [5, 2025, 400_000, 250_000, 9_120_000, 22_750_000, 1_015_000]),
    company('K/S Vindkraft Thyborøn', '28965273', [2.5, 2025, 312_500, 0, 41_870_000, 18_400_000, 6_925_000]),
    company(
      'K/S Skibsinvest Ærø Maritime',
      '33418388',
      [12.5, 2025, 1_250_000, 2_000_000, -1_845_000, 37_600_000, -2_310_000],
    ),
    company('K/S Østre Havnepark Aarhus', '40275193', [33.3333, 2024, 1_000_000, 0, 5_430_000, 0, 212_000]),
    company(
      'K/S Ferieboliger Marielyst',
      '27144004',
      [8, 2024, 240_000, 160_000, 3_075_000, 7_940_000, -118_000],
    ),
    company('K/S Biogas Løgstør', '37883522', [1.25, 2025, 125_000, 75_000, 12_300_000, 28_900_000, 745_000]),
    company('K/S Åbyhøj Parkering', null, [20, null, 500_000, null, null, null, null]),
  ],
  'Anne Marie Holm': [
    company(
      'K/S Malmø Kontor',
      '36502568',
      [7.5, 2025, 600_000, 300_000, 15_240_000, 33_100_000, 1_460_000],
      true,
    ),
    company('K/S Solceller Rødby', '29585709', [4, 2025, 200_000, 0, 8_815_000, 4_600_000, 690_000]),
    company(
      'K/S Containerinvest Kiel',
      '41035722',
      [15, 2024, 900_000, 450_000, -640_000, 9_250_000, -385_000],
    ),
  ],
  'Åse Nørregaard': [
    company(
      'K/S Vindmøller Hvide Sande',
      '32167519',
      [6.25, 2025, 500_000, 0, 19_700_000, 6_350_000, 2_180_000],
    ),
    company(
      'K/S Studieboliger Ørestad',
      '26403480',
      [3, 2025, 150_000, 100_000, 27_450_000, 58_200_000, 1_905_000],
    ),
  ],
  'Poul Erik Ærtebjerg': [
    company(
      'K/S Plejehjem Kolding',
      '39024314',
      [10, 2025, 750_000, 500_000, 11_260_000, 24_800_000, 880_000],
    ),
    company(
      'K/S Lübeck Detail',
      '34701296',
      [25, 2024, 2_000_000, 1_500_000, 4_390_000, 16_750_000, -210_000],
    ),
  ],
}
