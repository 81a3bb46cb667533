/** One leaf of a MIME document. Header names in lower case. */
export interface MimeEntity {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Bytes in which cloud-init looks for the header that makes user data a MIME document. */
const lookedAt = 4096;

export const isMime = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, lookedAt)).toString("latin1").toLowerCase().includes("mime-version:");

interface Section {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const line = /[^\r\n]*(?:\r\n|\r|\n|$)/y;

const linesOf = (text: string): readonly string[] => {
  const lines: string[] = [];
  line.lastIndex = 0;
  while (line.lastIndex < text.length) lines.push(line.exec(text)?.[0] ?? "");
  return lines;
};

const bare = (text: string): string => text.replace(/(?:\r\n|\r|\n)$/, "");

/** As Python reads a message: what is no header begins the body. */
const sectionOf = (text: string): Section => {
  const lines = linesOf(text);
  const headers: [string, string][] = [];
  let index = 0;
  for (; index < lines.length; index += 1) {
    const content = bare(lines[index] ?? "");
    const last = headers.at(-1);
    if (/^[ \t]/.test(content) && last !== undefined) last[1] += ` ${content.trim()}`;
    else if (/^[!-9;-~]+:/.test(content)) {
      const colon = content.indexOf(":");
      headers.push([content.slice(0, colon).toLowerCase(), content.slice(colon + 1).trim()]);
    } else break;
  }
  if (index < lines.length && bare(lines[index] ?? "") === "") index += 1;
  return { headers: Object.fromEntries(headers), text: lines.slice(index).join("") };
};

/** Characters of a part as Python hands them over: one byte each where they fit, else as an escape. */
const rawBytes = (text: string): Uint8Array =>
  Buffer.from(
    Array.from({ length: text.length }, (_, index) => text.charAt(index))
      .map((character) => {
        const code = character.charCodeAt(0);
        return code < 256 ? character : `\\u${code.toString(16).padStart(4, "0")}`;
      })
      .join(""),
    "latin1",
  );

const quotedPrintable = (text: string): Uint8Array =>
  Buffer.from(
    text
      .replaceAll(/(?<![ \t])[ \t]*=\r?\n/g, "")
      .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1",
  );

const bodyOf = ({ headers, text }: Section): Uint8Array => {
  const encoding = headers["content-transfer-encoding"]?.toLowerCase() ?? "";
  if (encoding === "base64") return Buffer.from(text, "base64");
  return encoding === "quoted-printable" ? quotedPrintable(text) : rawBytes(text);
};

/**
 * Returns the sections between the boundary lines of a multipart; `undefined` if it has no boundary line. Without a closing one, the last
 * section ends with the text.
 */
const sectionsBetween = (text: string, boundary: string): readonly string[] | undefined => {
  const sections: string[][] = [];
  for (const each of linesOf(text)) {
    const marker = bare(each).trimEnd();
    if (marker === `--${boundary}--`) break;
    if (marker === `--${boundary}`) sections.push([]);
    else sections.at(-1)?.push(each);
  }
  return sections.length === 0 ? undefined : sections.map((lines) => bare(lines.join("")));
};

/** The parts of a message in their order, multi-parts unfolded and bodies decoded; what is wrong is read as Python reads it. */
export const mimeParts = (text: string): readonly MimeEntity[] => {
  const section = sectionOf(text);
  const type = section.headers["content-type"] ?? "text/plain";
  if (!type.toLowerCase().startsWith("multipart/")) return [{ headers: section.headers, body: bodyOf(section) }];
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  const sections = boundary === undefined ? undefined : sectionsBetween(section.text, boundary);
  return (sections ?? []).flatMap(mimeParts);
};
