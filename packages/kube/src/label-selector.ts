import { CapstanError } from "@capstan/contract";

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

const invalid = (selector: string): CapstanError =>
  new CapstanError({
    code: "kube.bad_request",
    reason: "BadRequest",
    message: `label selector "${selector}" cannot be read; expected for example "a=b,c in (d,e),!f"`,
    retry: { kind: "never" },
  });

const setBased = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const equality = /^([^\s=!]+)\s*(==|=|!=)\s*(\S*)$/;
const existence = /^(!?)\s*([^\s=!()]+)$/;

const requirement = (part: string, selector: string): Requirement => {
  const set = setBased.exec(part);
  if (set !== null) {
    const [, key = "", operator, list = ""] = set;
    const values = new Set(list.split(",").map((value) => value.trim()));
    return ({ [key]: value }) => (value !== undefined && values.has(value)) === (operator === "in");
  }
  const equal = equality.exec(part);
  if (equal !== null) {
    const [, key = "", operator, wanted] = equal;
    return ({ [key]: value }) => (value === wanted) === (operator !== "!=");
  }
  const exists = existence.exec(part);
  if (exists === null) throw invalid(selector);
  const [, not, key = ""] = exists;
  return ({ [key]: value }) => (value !== undefined) === (not === "");
};

/** Whether labels match a selector as the API takes it: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, joined by commas. */
export const matchesLabels = (selector: string, labels: Labels = {}): boolean =>
  selector
    .split(/,(?![^()]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .every((part) => requirement(part, selector)(labels));
