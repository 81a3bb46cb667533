import { isShortYaml, readYaml, readYaml11Value, type YamlDocument, YamlError } from "@capstan/kube-values/yaml";
import { jsonText, parseInTurns } from "@capstan/schema/structural";
import { defineEvaluation } from "./define-evaluation.ts";
import { evaluateTexts } from "./evaluate.ts";

export interface LongYamlOptions {
  /** Lines and separators that the text may have. */
  readonly marks: number;
  /** Who the text is from: a namespace, or a user. */
  readonly flow: string;
  /** `1.1`: one document, as programs in Python read it. Default: 1.2. */
  readonly version?: "1.1" | "1.2";
}

/** Characters that are read here, whatever they are. */
const shortText = 2 ** 19;

type Settings = Omit<LongYamlOptions, "flow">;

type Read =
  | { readonly documents: readonly YamlDocument[] }
  | { readonly problem: string; readonly line: number | undefined };

const read = (text: string, { marks, version }: Settings): Read => {
  try {
    if (version !== "1.1") return { documents: readYaml(text, { marks }) };
    return { documents: [{ value: readYaml11Value(text, { marks }), line: 1 }] };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { problem: error.message, line: error.line };
  }
};

const longReading = defineEvaluation(import.meta.url, {
  name: "evaluation/yaml",
  limitMs: 5_000,
  run: ([settings = "", text = ""]: readonly string[]): readonly string[] => [
    jsonText(read(text, JSON.parse(settings) as Settings)),
  ],
});

const readInThread = async (text: string, settings: Settings, flow: string): Promise<Read> => {
  const options = { what: "the YAML document", flow };
  const [found = ""] = await evaluateTexts(longReading, [JSON.stringify(settings), text], options);
  return (await parseInTurns(found)) as Read;
};

/**
 * The documents of a text that may be long: it is read here when it is not, otherwise in a thread. Throws a `YamlError`,
 * `evaluation.too_long`, `evaluation.failed` and `evaluation.too_many`.
 */
export const readLongYaml = async (
  text: string,
  { flow, ...settings }: LongYamlOptions,
): Promise<readonly YamlDocument[]> => {
  const isShort = text.length <= shortText && isShortYaml(text);
  const found = isShort ? read(text, settings) : await readInThread(text, settings, flow);
  if ("problem" in found) throw new YamlError(found.problem, found.line);
  return found.documents;
};
