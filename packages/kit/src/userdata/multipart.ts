import { createHash } from "node:crypto";

/** One document of several. */
export interface DocumentPart {
  /** Part of the file name that cloud-init shows in its log. */
  readonly name: string;
  readonly content: string;
  /** Default: made from the name and the place among the parts. */
  readonly fileName?: string;
  /** Merge type of a cloud-config part, see cloud-init's "merging user-data sections". Default: cloud-init's own way. */
  readonly merge?: string;
}

/** The first lines by which cloud-init recognises a document (cloud-init, user-data formats). */
const types: readonly (readonly [prefix: string, type: string])[] = [
  ["## template: jinja", "text/jinja2"],
  ["#cloud-config-archive", "text/cloud-config-archive"],
  ["#cloud-config-jsonp", "text/cloud-config-jsonp"],
  ["#cloud-config", "text/cloud-config"],
  ["#!", "text/x-shellscript"],
  ["#include-once", "text/x-include-once-url"],
  ["#include", "text/x-include-url"],
  ["#cloud-boothook", "text/cloud-boothook"],
  ["#part-handler", "text/part-handler"],
];

const isMime = (content: string): boolean => /^(?:content-type|mime-version):/i.test(content);

/** Printable ASCII in lines that every mail reader takes unchanged. */
const isPlain = (content: string): boolean => /^(?:[\t\u0020-\u007E]{0,900}\n)*[\t\u0020-\u007E]{0,900}$/.test(content);

/** Returns the MIME type that cloud-init detects; `undefined` if the first line is not recognised. */
export const documentType = (content: string): string | undefined =>
  isMime(content) ? "multipart/mixed" : types.find(([prefix]) => content.toLowerCase().startsWith(prefix))?.[1];

const base64Lines = (content: string): string =>
  (
    Buffer.from(content)
      .toString("base64")
      .match(/.{1,76}/g) ?? []
  ).join("\n");

/**
 * cloud-init runs scripts in the order of their file names, among them `runcmd`, which holds the commands of all cloud-configs: scripts
 * come after it, in the order of the parts.
 */
const fileName = (part: DocumentPart, index: number): string =>
  part.fileName ?? `step-${String(index).padStart(2, "0")}-${part.name}`;

/** A part as it stands between two boundaries. A part that is a MIME document itself stays as it is: cloud-init unfolds it. */
const entity = (part: DocumentPart, index: number): string => {
  if (isMime(part.content)) return part.content.trimEnd();
  const plain = isPlain(part.content);
  const headers = [
    `Content-Type: ${documentType(part.content) ?? "text/plain"}; charset="utf-8"`,
    `Content-Transfer-Encoding: ${plain ? "7bit" : "base64"}`,
    `Content-Disposition: attachment; filename="${fileName(part, index)}"`,
    ...(part.merge === undefined ? [] : [`Merge-Type: ${part.merge}`]),
  ];
  return `${headers.join("\n")}\n\n${plain ? part.content : base64Lines(part.content)}`;
};

/**
 * One MIME multi-part document for cloud-init, which reads the parts in their order. The same parts give the same text. A part of no kind
 * that cloud-init knows is left out by it, with a warning in its log.
 */
export const multipart = (parts: readonly DocumentPart[]): string => {
  const entities = parts.map(entity);
  const digest = createHash("sha256").update(JSON.stringify(entities)).digest("hex");
  const boundary = `part-${digest.slice(0, 40)}`;
  const sections = entities.map((text) => `--${boundary}\n${text}\n`);
  return `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n\n${sections.join("")}--${boundary}--\n`;
};
