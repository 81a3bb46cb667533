const mark = "[redacted]";

/** Words before a secret of any shape, in flags, files and messages. */
const names =
  "token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key|certificate[_-]?key|private[_-]?key|client-key-data|client-certificate-data|certificate-authority-data";

/** The digest of an authority is public, and what `caCertHashes` has to hold: it is what a failed join is fixed with. */
const unlessPublic = (text: string, digest: string | undefined): string => (digest === undefined ? mark : text);

const patterns: readonly (readonly [pattern: RegExp, replacement: string | typeof unlessPublic])[] = [
  // A block whose end is cut off goes to the end of the text.
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, mark],
  [/(\bhttps?:\/\/)[^\s/@]+@/gi, `$1${mark}@`],
  [/(\bhttps?:\/\/[^\s?"'<>]{1,2000})\?[^\s"'<>]*/gi, `$1?${mark}`],
  // Queries of signed URLs whose beginning is cut off.
  [/\b((?:sig|signature|x-amz-signature|x-amz-credential)=)[^\s&"']+/gi, `$1${mark}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${mark}`],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, mark],
  [new RegExp(`(--[\\w-]{0,100}(?:${names})[\\w-]{0,100}(?:\\s+|=)["']?)[^\\s"']+`, "gi"), `$1${mark}`],
  [new RegExp(`((?:${names})["']?\\s*[:=]\\s*["']?)[^\\s"',;]+`, "gi"), `$1${mark}`],
  // kubeadm, k3s and rke2, access keys of object stores.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, mark],
  [/\bK10[0-9a-f]+::\S+/g, mark],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g, mark],
  // Keys and digests, and what is left of encoded files, also of blocks whose beginning is cut off.
  [/\b(sha256:[0-9a-f]{64})\b|\b[0-9a-f]{32,}\b/gi, unlessPublic],
  [/\b(sha256:[0-9a-f]{64})\b|[A-Za-z0-9+/]{40,}={0,2}/g, unlessPublic],
];

/**
 * A text without tokens, keys, certificates and signed URLs, as far as their shape or what stands before them tells: rather too much is
 * taken out than too little.
 */
export const redact = (text: string): string =>
  patterns.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement as string), text);
