const mark = "[redacted]";

const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Addresses of operations and of blobs are signed in their query.
  [/(\bhttps?:\/\/[^\s?"'<>]+)\?[^\s"'<>]*/gi, `$1?${mark}`],
  [/\b((?:sig|signature|client_secret|client_assertion)=)[^\s&"']+/gi, `$1${mark}`],
  [/\b(bearer)\s+[\w.~+/=-]{8,}/gi, `$1 ${mark}`],
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, mark],
  [
    /("(?:customData|userData|adminPassword|clientSecret|client_secret|access_token|protectedSettings|commandToExecute)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})/gi,
    `$1"${mark}"`,
  ],
  // Of custom data that Azure quotes. No resource ID is as long without a dash or a dot.
  [/[A-Za-z0-9+/]{160,}={0,2}/g, mark],
];

/** A message of Azure without signed addresses, tokens and secret fields of bodies. Resource IDs stay. */
export const redacted = (text: string): string =>
  patterns.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
