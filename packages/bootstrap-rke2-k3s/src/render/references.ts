import { CapstanError } from "@capstan/contract";
import { exactFile, requireKey, type Data, type FileEntry } from "@capstan/kit/bootstrap";
import { dataDirectory, type Distribution } from "./distribution.ts";
import { isServer, type NodeInput, type Source } from "./node-input.ts";
import type { ReferenceContent, ReferenceRow } from "./reference-row.ts";

interface Mapped {
  readonly files: readonly FileEntry[];
  readonly config: Readonly<Record<string, string>>;
}

const lacking = (from: string, content: ReferenceContent): CapstanError =>
  new CapstanError({
    code: "distribution.reference_incomplete",
    reason: "ReferenceIncomplete",
    message: `${from}: ${content.data} requires ${content.needs}; set both or neither`,
  });

const mapContent = (
  content: ReferenceContent,
  { data, directory, from, source }: { data: Data; directory: string; from: string; source: Source },
): Mapped => {
  const { file, key, mode = "0640", needs, optional, write } = content;
  if (optional === true && data[content.data] === undefined) return { files: [], config: {} };
  const bytes = requireKey(data, content.data, from);
  if (needs !== undefined && data[needs] === undefined) throw lacking(from, content);
  const text = write === undefined ? bytes : write(bytes, source);
  const path = file?.startsWith("/") === false ? `${directory}/${file}` : file;
  return {
    files: path === undefined ? [] : [exactFile({ path, owner: "root:root", permissions: mode }, text)],
    config: key === undefined ? {} : { [key]: path ?? String(text).trim() },
  };
};

/** The rows that matter for a machine. */
export const referencesOf = (distribution: Distribution, input: Pick<NodeInput, "role">): readonly ReferenceRow[] =>
  distribution.references.filter(({ only }) => only === undefined || isServer(input));

/** Files and settings from referenced objects. Throws `bootstrap.content_missing` and `distribution.reference_incomplete`. */
export const mapReferences = (distribution: Distribution, input: NodeInput): Mapped => {
  const { references, source } = input;
  const directory = dataDirectory(distribution, source);
  const parts = referencesOf(distribution, input).flatMap(({ contents, from }) => {
    const data = references.get(from);
    return data === undefined ? [] : contents.map((content) => mapContent(content, { data, directory, from, source }));
  });
  return {
    files: parts.flatMap(({ files }) => files),
    config: Object.assign({}, ...parts.map(({ config }) => config)) as Readonly<Record<string, string>>,
  };
};
