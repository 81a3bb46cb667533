import { CapstanError } from "@capstan/contract";

/** One leaf of a MIME document. Header names in lower case. */
export interface MimeEntity {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const isMime = (text: string): boolean => /^(?:content-type|mime-version):/i.test(text);

const invalid = (message: string): CapstanError =>
  new CapstanError({
    code: "guest.userdata_invalid",
    reason: "UserDataInvalid",
    message: `the user-data is not a MIME document: ${message}`,
    retry: { kind: "never" },
  });

const split = (text: string): MimeEntity => {
  const [head = "", ...rest] = text.split(/\r?\n\r?\n/);
  const lines = head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    if (colon < 1) throw invalid(`a header line has no colon: ${JSON.stringify(line.slice(0, 40))}`);
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const gap = /\r?\n\r?\n/.exec(text);
  return {
    headers: Object.fromEntries(headers),
    body: rest.length === 0 || gap === null ? "" : text.slice(gap.index + gap[0].length),
  };
};

const decoded = ({ headers, body }: MimeEntity): string => {
  const encoding = headers["content-transfer-encoding"]?.toLowerCase() ?? "7bit";
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (["7bit", "8bit", "binary"].includes(encoding)) return body;
  throw invalid(`the model does not read Content-Transfer-Encoding ${encoding}`);
};

/** The parts of a MIME document in their order, multi-parts unfolded and bodies decoded. Throws `guest.userdata_invalid`. */
export const mimeParts = (text: string): readonly MimeEntity[] => {
  const entity = split(text);
  const type = entity.headers["content-type"] ?? "text/plain";
  if (!type.toLowerCase().startsWith("multipart/")) return [{ ...entity, body: decoded(entity) }];
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary === undefined) throw invalid("its multi-part has no boundary");
  return sectionsOf(entity.body, boundary).flatMap(mimeParts);
};

/** What stands between the boundary lines of a multi-part. */
const sectionsOf = (body: string, boundary: string): readonly string[] => {
  const sections: string[][] = [];
  for (const line of body.split(/\r?\n/)) {
    const marker = line.trimEnd();
    if (marker === `--${boundary}--`) return sections.map((lines) => lines.join("\n"));
    if (marker === `--${boundary}`) sections.push([]);
    else sections.at(-1)?.push(line);
  }
  throw invalid("its multi-part has no end");
};
