/** A size of virtual machines, of which regions have most. */
export interface VmSize {
  readonly name: string;
  readonly family: string;
  readonly vcpus: number;
  readonly memoryGb: number;
  readonly arm64: boolean;
  readonly premium: boolean;
  readonly temporaryDiskGb: number;
  readonly gpus: number;
  readonly confidential: boolean;
}

interface Family {
  /** Name of the family in quotas: `standardDSv3Family`. */
  readonly family: string;
  /** `D{}s_v3`: the number of vCPUs stands for the braces. */
  readonly pattern: string;
  readonly vcpus: readonly number[];
  readonly gbPerVcpu: number;
  readonly arm64?: boolean;
  readonly premium?: boolean;
  readonly temporaryGbPerVcpu?: number;
  readonly gpus?: boolean;
  readonly confidential?: boolean;
}

const usual = [2, 4, 8, 16, 32, 48, 64, 96];

/** Families that come in general, memory and compute sizes. */
const threefold = (suffix: string, of: string, more: Partial<Family> = {}): readonly Family[] =>
  [
    ["D", 4],
    ["E", 8],
  ].map(([letter, gbPerVcpu]) => ({
    family: `standard${letter}${of}Family`,
    pattern: `${letter}{}${suffix}`,
    vcpus: usual,
    gbPerVcpu: Number(gbPerVcpu),
    premium: suffix.includes("s_"),
    ...more,
  }));

const families: readonly Family[] = [
  {
    family: "standardBSFamily",
    pattern: "B{}s",
    vcpus: [1, 2, 4, 8, 12, 16, 20],
    gbPerVcpu: 2,
    premium: true,
    temporaryGbPerVcpu: 4,
  },
  {
    family: "standardBSFamily",
    pattern: "B{}ms",
    vcpus: [1, 2, 4, 8],
    gbPerVcpu: 4,
    premium: true,
    temporaryGbPerVcpu: 8,
  },
  { family: "standardBsv2Family", pattern: "B{}s_v2", vcpus: [2, 4, 8, 16, 32], gbPerVcpu: 4, premium: true },
  { family: "standardBasv2Family", pattern: "B{}as_v2", vcpus: [2, 4, 8, 16, 32], gbPerVcpu: 4, premium: true },
  {
    family: "standardBpsv2Family",
    pattern: "B{}ps_v2",
    vcpus: [2, 4, 8, 16],
    gbPerVcpu: 4,
    premium: true,
    arm64: true,
  },
  {
    family: "standardDSv2Family",
    pattern: "DS{}_v2",
    vcpus: [1, 2, 3, 4, 5],
    gbPerVcpu: 3.5,
    premium: true,
    temporaryGbPerVcpu: 7,
  },
  ...threefold("_v3", "v3", { temporaryGbPerVcpu: 25 }),
  ...threefold("s_v3", "Sv3", { temporaryGbPerVcpu: 8 }),
  ...threefold("_v4", "v4"),
  ...threefold("s_v4", "Sv4"),
  ...threefold("ds_v4", "DSv4", { temporaryGbPerVcpu: 37 }),
  ...threefold("as_v4", "ASv4", { temporaryGbPerVcpu: 8 }),
  ...threefold("_v5", "v5"),
  ...threefold("s_v5", "Sv5"),
  ...threefold("ds_v5", "DSv5", { temporaryGbPerVcpu: 37 }),
  ...threefold("as_v5", "ASv5"),
  ...threefold("ads_v5", "ADSv5", { temporaryGbPerVcpu: 37 }),
  ...threefold("ps_v5", "PSv5", { arm64: true, vcpus: [2, 4, 8, 16, 32, 48, 64] }),
  ...threefold("pds_v5", "PDSv5", { arm64: true, vcpus: [2, 4, 8, 16, 32, 48, 64], temporaryGbPerVcpu: 37 }),
  ...threefold("s_v6", "sv6"),
  ...threefold("ds_v6", "dsv6", { temporaryGbPerVcpu: 55 }),
  ...threefold("as_v6", "asv6"),
  ...threefold("ads_v6", "adsv6", { temporaryGbPerVcpu: 55 }),
  ...threefold("ps_v6", "psv6", { arm64: true }),
  ...threefold("pls_v6", "plsv6", { arm64: true, gbPerVcpu: 2 }),
  ...threefold("ls_v5", "Lsv5", { gbPerVcpu: 2 }),
  {
    family: "standardDCASv5Family",
    pattern: "DC{}as_v5",
    vcpus: usual,
    gbPerVcpu: 4,
    premium: true,
    confidential: true,
  },
  {
    family: "standardDCADSv5Family",
    pattern: "DC{}ads_v5",
    vcpus: usual,
    gbPerVcpu: 4,
    premium: true,
    confidential: true,
    temporaryGbPerVcpu: 37,
  },
  {
    family: "standardFSv2Family",
    pattern: "F{}s_v2",
    vcpus: [2, 4, 8, 16, 32, 48, 64, 72],
    gbPerVcpu: 2,
    premium: true,
    temporaryGbPerVcpu: 8,
  },
  { family: "standardFASv6Family", pattern: "F{}as_v6", vcpus: usual, gbPerVcpu: 4, premium: true },
  {
    family: "standardLSv3Family",
    pattern: "L{}s_v3",
    vcpus: [8, 16, 32, 48, 64, 80],
    gbPerVcpu: 8,
    premium: true,
    temporaryGbPerVcpu: 10,
  },
  {
    family: "standardLASv3Family",
    pattern: "L{}as_v3",
    vcpus: [8, 16, 32, 48, 64, 80],
    gbPerVcpu: 8,
    premium: true,
    temporaryGbPerVcpu: 10,
  },
  {
    family: "standardMSFamily",
    pattern: "M{}ms",
    vcpus: [8, 16, 32, 64, 128],
    gbPerVcpu: 28,
    premium: true,
    temporaryGbPerVcpu: 32,
  },
  {
    family: "standardNCASv3Family",
    pattern: "NC{}as_T4_v3",
    vcpus: [4, 8, 16, 64],
    gbPerVcpu: 7,
    premium: true,
    temporaryGbPerVcpu: 44,
    gpus: true,
  },
  {
    family: "standardNCADSA100v4Family",
    pattern: "NC{}ads_A100_v4",
    vcpus: [24, 48, 96],
    gbPerVcpu: 9,
    premium: true,
    temporaryGbPerVcpu: 2,
    gpus: true,
  },
  {
    family: "standardNVADSA10v5Family",
    pattern: "NV{}ads_A10_v5",
    vcpus: [6, 12, 18, 36, 72],
    gbPerVcpu: 9,
    premium: true,
    temporaryGbPerVcpu: 30,
    gpus: true,
  },
];

const sizesOf = (family: Family): readonly VmSize[] =>
  family.vcpus.map((vcpus) => ({
    name: `Standard_${family.pattern.replace("{}", String(vcpus))}`,
    family: family.family,
    vcpus,
    memoryGb: vcpus * family.gbPerVcpu,
    arm64: family.arm64 ?? false,
    premium: family.premium ?? false,
    temporaryDiskGb: vcpus * (family.temporaryGbPerVcpu ?? 0),
    gpus: family.gpus === true ? Math.max(1, Math.floor(vcpus / 24)) : 0,
    confidential: family.confidential ?? false,
  }));

/** All sizes. */
export const vmSizes: readonly VmSize[] = families.flatMap(sizesOf);

const byName = new Map(vmSizes.map((size) => [size.name.toLowerCase(), size]));

/** A size by its name in any letter case. */
export const vmSize = (name: string): VmSize | undefined => byName.get(name.toLowerCase());

/** Sizes that a new subscription may not use where they are. */
export const isRestricted = ({ gpus, family }: VmSize): boolean => gpus > 0 && family.includes("A100");

/** Zones of a region in which a size is not to be had. */
export const closedZones = ({ confidential, arm64 }: VmSize, zones: readonly string[]): readonly string[] =>
  confidential ? zones.slice(0, 1) : arm64 ? zones.slice(2) : [];
