import { define, times, type TemplateFunctions } from "../functions/define.ts";
import { GoMethod, GoObject } from "../values/go-object.ts";
import { int64 } from "../values/numbers.ts";

/** Characters of a version or of a constraint. */
const longestText = 1000;

const versionForm =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

const numberOf = (digits: string): bigint => {
  const value = digits.length > 20 ? 2n ** 64n : BigInt(digits);
  if (value >= 2n ** 64n) throw new Error("Error parsing version segment: value out of range");
  return value;
};

/** -1, 0 or 1. */
const order = (a: bigint | string, b: bigint | string): number => (a < b ? -1 : Number(a > b));

const compareParts = (a: string, b: string): number => {
  const [isNumber, otherIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && otherIsNumber) return order(BigInt(a), BigInt(b));
  if (isNumber !== otherIsNumber) return isNumber ? -1 : 1;
  return order(a, b);
};

const comparePrereleases = (a: string, b: string): number => {
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  const [left, right] = [a.split("."), b.split(".")];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [x, y] = [left[index], right[index]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const compared = compareParts(x, y);
    if (compared !== 0) return compared;
  }
  return 0;
};

/** A version as Masterminds' semver reads it: parts may lack, and a `v` may stand before it. */
class Version extends GoObject {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly prerelease: string;

  constructor(original: string) {
    if (original.length > longestText) throw new Error("Invalid Semantic Version");
    const [, major = "", minor = "0", patch = "0", prerelease = "", metadata = ""] = versionForm.exec(original) ?? [];
    if (major === "") throw new Error("Invalid Semantic Version");
    const numbers = [numberOf(major), numberOf(minor), numberOf(patch)] as const;
    if (prerelease.split(".").some((part) => /^0\d+$/.test(part))) throw new Error("Version segment starts with 0");
    const text = `${numbers.join(".")}${prerelease && `-${prerelease}`}${metadata && `+${metadata}`}`;
    const compared = (by: (order: number) => unknown): GoMethod =>
      new GoMethod("any", (other) => by(this.compare(versionOf(other))));
    super({
      type: "*semver.Version",
      kind: "ptr",
      text,
      json: JSON.stringify(text),
      members: {
        Major: int64(numbers[0]),
        Minor: int64(numbers[1]),
        Patch: int64(numbers[2]),
        Prerelease: prerelease,
        Metadata: metadata,
        Original: original,
        String: text,
        Compare: compared((result) => result),
        Equal: compared((result) => result === 0),
        GreaterThan: compared((result) => result > 0),
        GreaterThanEqual: compared((result) => result >= 0),
        LessThan: compared((result) => result < 0),
        LessThanEqual: compared((result) => result <= 0),
      },
    });
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  compare(other: Version): number {
    const differing = this.numbers.findIndex((number, index) => number !== other.numbers[index]);
    return differing < 0
      ? comparePrereleases(this.prerelease, other.prerelease)
      : order(this.numbers[differing]!, other.numbers[differing]!);
  }
}

const versionOf = (value: unknown): Version => {
  if (value instanceof Version) return value;
  throw new Error("a version is compared with another one, such as semver gives");
};

const operators = ">=|=>|<=|=<|!=|~>|=|>|<|~|\\^";
const rangeVersion =
  "v?[0-9xX*|]+(?:\\.[0-9xX*|]+)?(?:\\.[0-9xX*|]+)?(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?";
const hyphenRange = new RegExp(`\\s*(${rangeVersion})\\s+-\\s+(${rangeVersion})\\s*`, "g");
const single = `(?:(?:${operators})\\s*)?${rangeVersion}`;
const wholeForm = new RegExp(`^\\s*${single}(?:(?:\\s*,\\s*|\\s+)${single})*\\s*$`);
const singleForm = new RegExp(single, "g");
const constraintForm =
  /^\s*(?<operator>=|!=|>=|=>|<=|=<|>|<|~>|~|\^|)\s*v?(?<major>[0-9xX*|]+)(?:\.(?<minor>[0-9xX*|]+))?(?:\.(?<patch>[0-9xX*|]+))?(?<rest>(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?\s*$/;

/** One comparison. What stands for any number is 0 in `version`, from the part `open` on. */
interface Constraint {
  readonly operator: string;
  readonly version: Version;
  readonly open: "major" | "minor" | "none" | "patch";
}

const isAny = (part: string | undefined): boolean => part === undefined || /^[xX*]$/.test(part);

const constraintOf = (text: string): Constraint => {
  const { major, minor, operator = "", patch, rest = "" } = constraintForm.exec(text)?.groups ?? {};
  if (major === undefined) throw new Error(`improper constraint: ${text}`);
  const open = isAny(major) ? "major" : isAny(minor) ? "minor" : isAny(patch) ? "patch" : "none";
  const numbers = [major, minor, patch].slice(0, ["major", "minor", "patch", "none"].indexOf(open));
  try {
    return { operator, open, version: new Version(`${[...numbers, "0", "0", "0"].slice(0, 3).join(".")}${rest}`) };
  } catch {
    throw new Error("constraint Parser Error");
  }
};

type Check = (version: Version, constraint: Constraint) => boolean;

const sameMajor: Check = ({ numbers: [a] }, { version }) => a === version.numbers[0];
const sameMinor: Check = ({ numbers: [, a] }, { version }) => a === version.numbers[1];

const tilde: Check = (version, constraint) => {
  const { open, version: wanted } = constraint;
  if (version.compare(wanted) < 0) return false;
  const isZero = wanted.numbers.every((number) => number === 0n);
  if (isZero && open !== "minor" && open !== "patch") return true;
  return sameMajor(version, constraint) && (open === "minor" || sameMinor(version, constraint));
};

const caret: Check = (version, constraint) => {
  const { open, version: wanted } = constraint;
  if (version.compare(wanted) < 0) return false;
  const [major, minor, patch] = wanted.numbers;
  if (major > 0n || open === "minor") return sameMajor(version, constraint);
  if (version.numbers[0] > 0n) return false;
  if (minor > 0n || open === "patch") return sameMinor(version, constraint);
  return version.numbers[1] === 0n && patch === version.numbers[2];
};

const greater: Check = (version, constraint) => {
  const { open, version: wanted } = constraint;
  if (open === "none") return version.compare(wanted) > 0;
  if (!sameMajor(version, constraint)) return version.numbers[0] > wanted.numbers[0];
  if (open === "minor") return false;
  if (open === "patch") return version.numbers[1] > wanted.numbers[1];
  return version.compare(wanted) > 0;
};

const atMost: Check = (version, constraint) => {
  const { open, version: wanted } = constraint;
  if (open === "none") return version.compare(wanted) <= 0;
  if (version.numbers[0] > wanted.numbers[0]) return false;
  return !(sameMajor(version, constraint) && version.numbers[1] > wanted.numbers[1] && open !== "minor");
};

const notEqual: Check = (version, constraint) => {
  const { open, version: wanted } = constraint;
  if (open === "none") return version.compare(wanted) !== 0;
  if (!sameMajor(version, constraint)) return true;
  if (!sameMinor(version, constraint) && open !== "minor") return true;
  if (open === "minor") return false;
  if (open === "patch") {
    const isPrerelease = version.prerelease !== "" || wanted.prerelease !== "";
    return isPrerelease && comparePrereleases(version.prerelease, wanted.prerelease) !== 0;
  }
  return version.numbers[2] !== wanted.numbers[2] || version.compare(wanted) !== 0;
};

const equalOrTilde: Check = (version, constraint) =>
  constraint.open === "none" ? version.compare(constraint.version) === 0 : tilde(version, constraint);

const checks: Readonly<Record<string, Check>> = {
  "": equalOrTilde,
  "=": equalOrTilde,
  "!=": notEqual,
  ">": greater,
  "<": (version, { version: wanted }) => version.compare(wanted) < 0,
  ">=": (version, { version: wanted }) => version.compare(wanted) >= 0,
  "=>": (version, { version: wanted }) => version.compare(wanted) >= 0,
  "<=": atMost,
  "=<": atMost,
  "~": tilde,
  "~>": tilde,
  "^": caret,
};

/** Prereleases are looked at only where the constraint names one. */
const isFor = (version: Version, { open, operator, version: wanted }: Constraint): boolean =>
  version.prerelease === "" || wanted.prerelease !== "" || (operator === "!=" && open === "none");

const satisfies = (constraint: string, text: string): boolean => {
  if (constraint.length > longestText) throw new Error("improper constraint: it is too long");
  const ranges = constraint.replace(hyphenRange, ">= $1, <= $2 ").split("||");
  const groups = ranges.map((range) => {
    if (!wholeForm.test(range)) throw new Error(`improper constraint: ${range}`);
    return (range.match(singleForm) ?? [range]).map(constraintOf);
  });
  const version = new Version(text);
  return groups.some((group) =>
    group.every((each) => isFor(version, each) && checks[each.operator]?.(version, each) === true),
  );
};

/** Functions of semantic versions. */
export const versionFunctions: TemplateFunctions = {
  semver: times(
    20,
    define(["string"], (text) => new Version(text)),
  ),
  semverCompare: times(200, define(["string", "string"], satisfies)),
};
