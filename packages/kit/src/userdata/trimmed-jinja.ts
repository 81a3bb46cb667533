import { jinjaParts, type JinjaPart } from "./jinja-parts.ts";

/** A piece of a text without the blanks that Jinja removes. */
export interface TrimmedPart {
  readonly text: string;
  /** It is Jinja's. */
  readonly tag: boolean;
  readonly part: JinjaPart;
  /** Jinja takes blanks away here, or would take those of a document that the text stands in. */
  readonly tears: boolean;
}

const trimsBefore = (part: JinjaPart | undefined): boolean => part?.kind === "tag" && /^\{[{%#]-/.test(part.text);
const trimsBehind = (part: JinjaPart | undefined): boolean => part?.kind === "tag" && /-[}%#]\}$/.test(part.text);
const trimsLine = (part: JinjaPart | undefined): boolean => part?.kind === "tag" && /[^+-][%#]\}$/.test(part.text);

const trimmed = (text: string, before: JinjaPart | undefined, behind: JinjaPart | undefined, raw: boolean): string => {
  const end = trimsBefore(behind) ? text.trimEnd() : text;
  if (trimsBehind(before)) return end.trimStart();
  return trimsLine(before) && !raw ? end.replace(/^\r?\n/, "") : end;
};

/** A text in pieces, without the line ends behind statements and the blanks beside `-` that Jinja removes. */
export const trimmedJinja = (value: string): readonly TrimmedPart[] => {
  const parts = jinjaParts(value);
  return parts.map((part, index) => {
    const [before, behind] = [parts[index - 1], parts[index + 1]];
    if (part.kind === "tag") {
      const atBegin = before === undefined && trimsBefore(part);
      const atEnd = behind === undefined && (trimsBehind(part) || trimsLine(part));
      return { text: part.text, tag: true, part, tears: atBegin || atEnd };
    }
    const text = trimmed(part.text, before, behind, part.kind === "raw");
    return { text, tag: false, part, tears: text !== part.text };
  });
};
