import { bool, int, opaque, string } from "../types/cel-type.ts";
import { Failure } from "../values/failure.ts";
import { Opaque } from "../values/value.ts";
import { fn, method, traversal } from "./overload.ts";
import type { Overload } from "./overload.ts";

/** A semantic version 2.0.0. */
class Semver extends Opaque {
  readonly typeName = "kubernetes.Semver";
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];
  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: Opaque): boolean {
    return other instanceof Semver && compare(this, other) === 0;
  }
}

const semverType = opaque<Semver>("kubernetes.Semver");
const largest = 18_446_744_073_709_551_615n;

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

/** Drops a leading `v`, adds missing parts as 0 and drops leading zeros. */
const normalized = (text: string): string => {
  const [, core = "", rest = ""] = /^v?([^-+]*)(.*)$/s.exec(text) ?? [];
  const parts = core.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  if (parts.length < 3 && rest !== "") return text;
  while (parts.length < 3) parts.push("0");
  return parts.join(".") + rest;
};

const parseSemver = (text: string, normalize = false): Semver | undefined => {
  const found = pattern.exec(normalize ? normalized(text) : text);
  if (found === null) return undefined;
  const digits = [found[1]!, found[2]!, found[3]!];
  if (digits.some(({ length }) => length > String(largest).length)) return undefined;
  const numbers = digits.map(BigInt);
  if (numbers.some((number) => number > largest)) return undefined;
  return new Semver(numbers, found[4]?.split(".") ?? []);
};

const toSemver = (text: string, normalize = false): Semver => {
  const version = parseSemver(text, normalize);
  if (version === undefined) throw new Failure(`semver parse error: '${text}' is not a semantic version`);
  return version;
};

const compareIdentifiers = (left: string, right: string): number => {
  const numeric = [left, right].map((part) => /^\d+$/.test(part));
  // Without zeros in front, which a semantic version has not, the longer number is the larger one.
  if (numeric[0] && numeric[1] && left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
};

const compare = (left: Semver, right: Semver): number => {
  for (let index = 0; index < 3; index++) {
    if (left.numbers[index] !== right.numbers[index]) return left.numbers[index]! < right.numbers[index]! ? -1 : 1;
  }
  if (left.prerelease.length === 0 || right.prerelease.length === 0) {
    return Number(right.prerelease.length > 0) - Number(left.prerelease.length > 0);
  }
  for (let index = 0; index < Math.min(left.prerelease.length, right.prerelease.length); index++) {
    const order = compareIdentifiers(left.prerelease[index]!, right.prerelease[index]!);
    if (order !== 0) return order;
  }
  return Math.sign(left.prerelease.length - right.prerelease.length);
};

const part = (index: number) => (version: Semver) => version.numbers[index]!;

/** The Kubernetes library for semantic versions. */
export const semverFunctions: readonly Overload[] = [
  fn("semver", [string], semverType, (text) => toSemver(text), { cost: traversal() }),
  fn("semver", [string, bool], semverType, toSemver, { cost: traversal() }),
  fn("isSemver", [string], bool, (text) => parseSemver(text) !== undefined, { cost: traversal() }),
  fn("isSemver", [string, bool], bool, (text, normalize) => parseSemver(text, normalize) !== undefined, {
    cost: traversal(),
  }),
  method(semverType, "major", [], int, part(0)),
  method(semverType, "minor", [], int, part(1)),
  method(semverType, "patch", [], int, part(2)),
  method(semverType, "isGreaterThan", [semverType], bool, (left, right) => compare(left, right) > 0),
  method(semverType, "isLessThan", [semverType], bool, (left, right) => compare(left, right) < 0),
  method(semverType, "compareTo", [semverType], int, (left, right) => BigInt(compare(left, right))),
];
