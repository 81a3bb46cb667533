import type { ManifestObject } from "@capstan/apiserver";
import type { CapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { fieldIn, stepsOf } from "../manifest/field-path.ts";
import { anyOf, nearWords } from "../near-words.ts";
import { knownFields } from "./known-fields.ts";

/** Why an object was refused, for people. */
export interface Refusal {
  /** `file:line` of the field, or of the object where there are several or none. */
  readonly where: string;
  /** With several fields a line for each, with its place. */
  readonly message: string;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** `field: message` of each cause of a Status that names its field; one without says that there may be more to find. */
const causesOf = ({ details }: CapstanError): readonly string[] => {
  const { causes } = details as { readonly causes?: unknown };
  return (Array.isArray(causes) ? causes : []).flatMap((cause: unknown) =>
    isRecord(cause) &&
    typeof cause["field"] === "string" &&
    typeof cause["message"] === "string" &&
    cause["field"] !== "<nil>"
      ? [`${cause["field"]}: ${cause["message"]}`]
      : [],
  );
};

/** Prefix of the server's message about an apply that does not fit the schema. */
const untyped = /^failed to create typed (?:patch|live) object \([^)]*\): (?:errors:)?/;

const typedProblems = (message: string): readonly string[] =>
  untyped.test(message)
    ? message
        .replace(untyped, "")
        .split("\n")
        .map((line) => line.trim().replace(/^\./, ""))
        .filter((line) => line !== "")
    : [];

/** One thing that is wrong; `about` begins with its field, where that is known. */
interface Problem {
  readonly text: string;
  readonly about: string;
}

/** `.field: message`, in which the field is found whatever its name is. */
const ofField = (text: string): Problem => ({ text, about: `.${text}` });

/** Returns the problems, one for each field. */
const problemsOf = (error: CapstanError): readonly Problem[] => {
  const typed = typedProblems(error.message);
  if (typed.length > 0) return typed.map(ofField);
  const causes = causesOf(error);
  const [cause] = causes;
  if (causes.length > 1) return causes.map(ofField);
  return [{ text: error.message, about: cause === undefined ? error.message : `.${cause}` }];
};

const words = (text: string): readonly string[] => [...text.matchAll(/"([^"]*)"/g)].flatMap(([, word]) => word ?? []);

const didYouMean = (near: readonly string[]): string => (near.length === 0 ? "" : `; did you mean ${anyOf(near)}?`);

/** The value that was meant, of those that the server says are supported. */
const valueHint = (problem: string): string => {
  const [, given = "", supported = ""] = /Unsupported value: "([^"]*)": supported values: (.*)/s.exec(problem) ?? [];
  return didYouMean(nearWords(given, words(supported)));
};

/** The kind that was meant, of those that the server has in the same version. */
const kindHint = async (client: Client, { apiVersion, kind }: KubeObject, signal: AbortSignal): Promise<string> => {
  const path = `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  try {
    const { resources = [] } = await client.request<ResourceList>({ method: "GET", path, signal });
    return didYouMean(
      nearWords(
        kind,
        resources.map((each) => each.kind),
      ),
    );
  } catch {
    // A hint is not worth another failure: the version may not be served at all.
    return "";
  }
};

interface ResourceList {
  readonly resources?: readonly { readonly kind: string }[];
}

/** The server's text for a rule on the object as a whole. */
const ofWhole = /<nil>: Invalid value: (?:(?:"[^"]*"|null): )?/g;

/** Suggests an alternative to changing a template. */
const templateHint = ({ kind }: KubeObject, problem: string): string =>
  kind.endsWith("Template") && problem.endsWith(": Value is immutable")
    ? "; write a template with another name, and name it where this one is used"
    : "";

const isUndeclared = /field not declared in schema|unknown field/;

/** Explains refusals of one server, whose schemas are asked for once. */
export const refusalExplainer = (
  client: Client,
  signal: AbortSignal,
): ((item: ManifestObject, error: CapstanError) => Promise<Refusal>) => {
  const fieldsOf = knownFields(client, signal);
  const fieldHint = async ({ object }: ManifestObject, { about, text }: Problem): Promise<string> => {
    const field = isUndeclared.test(text) ? fieldIn(about) : undefined;
    const last = field === undefined ? undefined : stepsOf(field).at(-1);
    if (field === undefined || typeof last !== "string") return "";
    return didYouMean(nearWords(last, await fieldsOf(object, field)));
  };
  return async (item, error) => {
    const place = async ({ about }: Problem): Promise<string> => (await item.placeOf?.(about)) ?? item.source;
    const said = async (problem: Problem): Promise<string> =>
      `${problem.text.replaceAll(ofWhole, "")}${valueHint(problem.text)}${templateHint(item.object, problem.text)}${await fieldHint(item, problem)}`;
    if (error.code === "apply.kind_unknown") {
      return { where: item.source, message: `${error.message}${await kindHint(client, item.object, signal)}` };
    }
    const problems = problemsOf(error);
    const [first = ofField(error.message)] = problems;
    if (problems.length <= 1) return { where: await place(first), message: await said(first) };
    const lines = await Promise.all(problems.map(async (each) => `${await place(each)}: ${await said(each)}`));
    return { where: item.source, message: [`${problems.length} fields are wrong`, ...lines].join("\n") };
  };
};
