import { readFileSync } from "node:fs";
import { CapstanError, type ProxyFor } from "@capstan/contract";
import { whyUnreadable } from "../file-words.ts";
import { isUrl } from "../manifest/read-manifests.ts";

/** A page of a file at GitHub, and its text. */
const rawOf = (url: string): string =>
  url.replace(
    /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:blob|raw)\//,
    (_, repository: string) => `https://raw.githubusercontent.com/${repository}/`,
  );

/** Reads a template from a file, a URL (of GitHub also that of the page) or standard input (`-`). Throws `generate.template_unreadable`. */
export const templateText = async (from: string, proxyFor: ProxyFor): Promise<string> => {
  try {
    if (!isUrl(from)) return readFileSync(from === "-" ? 0 : from, "utf8");
    const { fetchText } = await import("../manifest/fetch-text.ts");
    return await fetchText(rawOf(from), { proxyFor });
  } catch (cause) {
    throw new CapstanError({
      code: "generate.template_unreadable",
      reason: "TemplateUnreadable",
      message: `--from ${from}: ${whyUnreadable(cause)}; name a file, or a URL that returns the template`,
      retry: { kind: "never" },
      cause,
    });
  }
};
