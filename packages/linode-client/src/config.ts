import type { LinodeClientOptions } from "./options.ts";

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Files that `linodeOptions` wants the text of; read those that exist. */
export interface LinodeFiles {
  /** Configuration files, the first that exists counts. */
  readonly config: readonly string[];
  /** PEM file named by `LINODE_CA`. */
  readonly ca?: string;
}

export const linodeFiles = (env: Env): LinodeFiles => {
  const named = present(env["LINODE_CONFIG"]);
  const home = present(env["HOME"]);
  const ca = present(env["LINODE_CA"]);
  const usual = home === undefined ? [] : [`${home}/.config/linode`, `${home}/.config/linode-cli`];
  return { config: named === undefined ? usual : [named], ...(ca === undefined ? {} : { ca }) };
};

/**
 * Client options from the environment and the text of a configuration file. Variables win over the file.
 * Variables: LINODE_TOKEN, LINODE_URL, LINODE_API_VERSION, LINODE_PROFILE (section of the file, default
 * `default`), LINODE_DEBUG (1 or true).
 * File: sections with `token`, `api_url`, `api_version`. Throws when LINODE_PROFILE names a section that is missing.
 */
export const linodeOptions = (input: {
  readonly env: Env;
  readonly configText?: string;
  readonly caText?: string;
  /** Where the debug log goes if LINODE_DEBUG asks for it. */
  readonly debug?: NonNullable<LinodeClientOptions["debug"]>;
}): Pick<LinodeClientOptions, "token" | "url" | "apiVersion" | "ca" | "debug"> => {
  const { env, configText, caText, debug } = input;
  const profile = configText === undefined ? {} : section(parseIni(configText), present(env["LINODE_PROFILE"]));
  const token = present(env["LINODE_TOKEN"]) ?? present(profile["token"]);
  const url = present(env["LINODE_URL"]) ?? present(profile["api_url"]);
  const apiVersion = present(env["LINODE_API_VERSION"]) ?? present(profile["api_version"]);
  return {
    ...(token === undefined ? {} : { token }),
    ...(url === undefined ? {} : { url }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(caText === undefined ? {} : { ca: caText }),
    ...(debug !== undefined && on.has(env["LINODE_DEBUG"]?.toLowerCase() ?? "") ? { debug } : {}),
  };
};

/** The words for yes of an environment variable. */
const on = new Set(["1", "t", "true"]);

type Section = Readonly<Record<string, string>>;

/** The linode-cli writes its sections per user and names the current one in `[DEFAULT] default-user`. */
const section = (sections: ReadonlyMap<string, Section>, wanted: string | undefined): Section => {
  if (wanted !== undefined) {
    const found = sections.get(wanted);
    if (found === undefined) throw new Error(`The Linode configuration file has no section [${wanted}].`);
    return found;
  }
  const plain = sections.get("default") ?? sections.get("DEFAULT") ?? {};
  const user = plain["default-user"];
  return (user === undefined ? undefined : sections.get(user)) ?? plain;
};

const parseIni = (text: string): ReadonlyMap<string, Section> => {
  const sections = new Map<string, Record<string, string>>();
  let current: Record<string, string> = {};
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const header = /^\[(.+)\]$/.exec(line);
    if (header !== null) {
      current = {};
      sections.set(header[1]!.trim(), current);
      continue;
    }
    const at = line.indexOf("=");
    if (at > 0) current[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return sections;
};

const present = (value: string | undefined): string | undefined => (value === "" ? undefined : value);
