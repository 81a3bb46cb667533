import { bool, list, map, opaque, string } from "../types/cel-type.ts";
import { Failure } from "../values/failure.ts";
import { Opaque, ValueList, ValueMap } from "../values/value.ts";
import { fn, method, traversal } from "./overload.ts";
import type { Overload } from "./overload.ts";

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** A parsed URL: absolute, or an absolute path. Unlike WHATWG URLs nothing is normalised. */
class Url extends Opaque {
  readonly typeName = "kubernetes.URL";
  readonly text: string;
  readonly parts: UrlParts;

  constructor(text: string, parts: UrlParts) {
    super();
    this.text = text;
    this.parts = parts;
  }

  equals(other: Opaque): boolean {
    return other instanceof Url && other.text === this.text;
  }
}

const urlType = opaque<Url>("kubernetes.URL");

const pattern = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?]*))?([^?]*)(?:\?(.*))?$/s;
const hostPattern = /^(?:\[[0-9A-Fa-f:.%]+\]|[^[\]:]*)(?::\d*)?$/;
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;
const unsafe = /[\p{Cc} ]/u;

/** Parses URLs as Go's `ParseRequestURI` does; `undefined` for the texts that it rejects. */
const parseUrl = (text: string): Url | undefined => {
  const found = pattern.exec(text);
  if (text === "" || found === null || unsafe.test(text)) return undefined;
  const [, scheme = "", authority, path = "", query = ""] = found;
  if (scheme === "" && !text.startsWith("/")) return undefined;
  if (scheme !== "" && authority === undefined && !path.startsWith("/")) return undefined;
  const host = (authority ?? "").replace(/^.*@/, "");
  if (!hostPattern.test(host) || /[<>"\\^`{|}]/.test(host) || brokenEscape.test(path)) return undefined;
  return new Url(text, { scheme: scheme.toLowerCase(), host, path, query });
};

const toUrl = (text: string): Url => {
  const url = parseUrl(text);
  if (url === undefined) throw new Failure(`URL parse error during conversion from string: invalid URL '${text}'`);
  return url;
};

const port = (url: Url): string => /:(\d*)$/.exec(url.parts.host.replace(/^\[.*\]/, ""))?.[1] ?? "";

const hostname = (url: Url): string => {
  const bracketed = /^\[(.*)\]/.exec(url.parts.host);
  return bracketed?.[1] ?? url.parts.host.replace(/:\d*$/, "");
};

/** Characters Go leaves as they are in an escaped path. */
const escapePath = (path: string): string => {
  if (/^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]]|%[0-9A-Fa-f]{2})*$/.test(path)) return path;
  return encodeURI(decodeURIComponent(path)).replace(/#/g, "%23").replace(/\?/g, "%3F");
};

const decode = (text: string): string | undefined => {
  if (brokenEscape.test(text)) return undefined;
  return Buffer.from(
    text
      .replace(/\+/g, " ")
      .replace(/%([0-9A-Fa-f]{2})|\P{ASCII}/gu, (part, hex?: string) =>
        hex === undefined
          ? Buffer.from(part, "utf8").toString("latin1")
          : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    "latin1",
  ).toString("utf8");
};

const query = (url: Url): ValueMap => {
  const values = new Map<string, string[]>();
  for (const pair of url.parts.query.split("&")) {
    const [, rawName = "", rawValue = ""] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const name = decode(rawName);
    const value = decode(rawValue);
    if (pair === "" || pair.includes(";") || name === undefined || value === undefined) continue;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return new ValueMap([...values].map(([name, texts]) => [name, new ValueList(texts)] as const));
};

/** The Kubernetes URL library. */
export const urlFunctions: readonly Overload[] = [
  fn("url", [string], urlType, toUrl, { cost: traversal() }),
  fn("isURL", [string], bool, (text) => parseUrl(text) !== undefined, {
    cost: traversal(),
    estimate: () => 1,
  }),
  method(urlType, "getScheme", [], string, (url) => url.parts.scheme),
  method(urlType, "getHost", [], string, (url) => url.parts.host),
  method(urlType, "getHostname", [], string, hostname),
  method(urlType, "getPort", [], string, port),
  method(urlType, "getEscapedPath", [], string, (url) => escapePath(url.parts.path)),
  method(urlType, "getQuery", [], map(string, list(string)), query),
];
