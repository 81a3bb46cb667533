import { foreignAction, jinjaParts, unpaired, type JinjaPart } from "./jinja-parts.ts";
import { readTag } from "./jinja-tokens.ts";

/** Names that Jinja defines, and those that cloud-init provides about the machine. */
const known = new Set(
  (
    "ds v1 v2 self super loop caller varargs kwargs range lipsum dict cycler joiner namespace " +
    "and or not in is if else elif for set recursive true false none True False None " +
    "base64_encoded_keys merged_cfg merged_system_cfg sensitive_keys sys_info system_info userdata vendordata vendordata2 " +
    "availability_zone cloud_id cloud_name distro distro_release distro_version instance_id kernel_release local_hostname machine " +
    "platform public_ssh_keys python_version region subplatform system_platform variant"
  ).split(" "),
);

const statementWord =
  /^[-+]?\s*(?:end\w+|if|elif|else|for|set|macro|call|filter|with|raw|include|import|from|extends|block)\b/;

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

/** The texts with their pieces, and where among them each piece stands. */
interface Read {
  readonly text: string;
  readonly parts: readonly JinjaPart[];
}

/** Characters of the longest piece of Jinja that someone means; a text of nothing but beginnings is read in a moment. */
const longestTag = 1000;

/** Returns the text at a position that looks like Jinja, up to its end; `undefined` where Jinja is not meant. */
const meant = (text: string, begin: number, opening: string): string | undefined => {
  if (opening === "{#") return undefined;
  const rest = text.slice(begin, begin + longestTag);
  const end = rest.indexOf(opening === "{{" ? "}}" : "%}");
  if (end === -1) return undefined;
  const inner = rest.slice(2, end);
  const isMeant = opening === "{{" ? !foreignAction.test(inner) : statementWord.test(inner);
  return isMeant ? rest.slice(0, end + 2) : undefined;
};

const unread = ({ parts, text }: Read, alone: ReadonlySet<JinjaPart>): readonly string[] => {
  let at = 0;
  return parts.flatMap((part) => {
    const begin = at;
    at += part.text.length;
    if (alone.has(part)) return [`${short(part.text)} is not closed and stays as written`];
    const found = part.kind === "unreadable" ? meant(text, begin, part.text) : undefined;
    return found === undefined ? [] : [`Jinja cannot parse ${short(found)}; it stays as written`];
  });
};

/** Names that a text of tags gives a value, or takes parts of, or calls. */
const namesIn = (tag: string): { readonly given: readonly string[]; readonly taken: readonly string[] } => {
  const tokens = readTag(tag, 0, tag.startsWith("{%") ? "{%" : "{{")?.tokens ?? [];
  const isStatement = tag.startsWith("{%");
  const names = tokens.flatMap(({ kind, text }, index) => (kind === "name" ? [{ text, index }] : []));
  const gives = isStatement && ["set", "for", "macro", "with", "call"].includes(tokens[0]?.text ?? "");
  const taken = names.filter(({ index }) => {
    const [before, after] = [tokens[index - 1]?.text ?? "", tokens[index + 1]];
    const isPart = [".", "|", "is"].includes(before) || (before === "not" && tokens[index - 2]?.text === "is");
    return !isPart && after?.kind === "operator" && [".", "[", "("].includes(after.text);
  });
  return { given: gives ? names.map(({ text }) => text) : [], taken: taken.map(({ text }) => text) };
};

const unknown = (parts: readonly JinjaPart[]): readonly string[] => {
  const tags = parts.flatMap(({ kind, text }) => (kind === "tag" && !text.startsWith("{#") ? [namesIn(text)] : []));
  const given = new Set(tags.flatMap((names) => names.given));
  const taken = new Set(tags.flatMap((names) => names.taken).filter((name) => !known.has(name) && !given.has(name)));
  return [...taken].map((name) => `cloud-init does not know ${name} and discards the whole document when it is used`);
};

/**
 * Returns, for each text, the problems that keep cloud-init from rendering it as probably intended. A statement may
 * start in one text and end in a later one.
 */
export const jinjaProblems = (texts: readonly string[]): readonly (readonly string[])[] => {
  const read = texts.map((text) => ({ text, parts: jinjaParts(text) }));
  const all = read.flatMap(({ parts }) => parts);
  const alone = unpaired(all);
  return read.map((each) => [...unread(each, alone), ...unknown(each.parts.filter((part) => !alone.has(part)))]);
};
