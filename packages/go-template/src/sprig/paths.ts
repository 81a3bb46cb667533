import { posix } from "node:path";
import { define, type TemplateFunctions } from "../functions/define.ts";
import { withoutEnd } from "../values/bytes.ts";
import { isMap } from "../values/kinds.ts";

const clean = (path: string): string => (path === "" ? "." : posix.normalize(path).replace(/(?<=.)\/+$/, ""));

const base = define(["string"], (path) => {
  if (path === "") return ".";
  const last = withoutEnd(path, "/");
  return last === "" ? "/" : last.slice(last.lastIndexOf("/") + 1);
});
const dir = define(["string"], (path) => clean(path.slice(0, path.lastIndexOf("/") + 1)));
const ext = define(["string"], (path) => /\.[^./]*$/.exec(path)?.[0] ?? "");
const isAbsolute = define(["string"], (path) => path.startsWith("/"));
const cleaned = define(["string"], clean);

/** The parts of an address: scheme, user, host, path, query, fragment (RFC 3986, appendix B). */
const address = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`unable to parse url: invalid URL escape in ${JSON.stringify(text)}`);
  }
};

const parse = (text: string) => {
  const [, scheme = "", userinfo = "", host = "", path = "", query = "", fragment = ""] = address.exec(text) ?? [];
  const opaque = scheme !== "" && !text.slice(scheme.length + 1).startsWith("/") && path !== "";
  return {
    scheme: scheme.toLowerCase(),
    host,
    hostname: host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1"),
    path: opaque ? "" : decoded(path),
    query,
    opaque: opaque ? path : "",
    fragment: decoded(fragment),
    userinfo,
  };
};

const part = (of: unknown, name: string): string => {
  if (!isMap(of) || !Object.hasOwn(of, name)) return "";
  const value = of[name];
  if (typeof value !== "string") throw new Error(`unable to parse ${name} key, must be of type string`);
  return value;
};

const encodedPath = (path: string): string => encodeURI(path).replace(/[?#]/g, encodeURIComponent);

const joined = (of: unknown): string => {
  const [scheme, userinfo, host, path, opaque, query, fragment] = [
    "scheme",
    "userinfo",
    "host",
    "path",
    "opaque",
    "query",
    "fragment",
  ].map((name) => part(of, name)) as [string, string, string, string, string, string, string];
  const authority = host === "" && userinfo === "" ? "" : `//${userinfo === "" ? "" : `${userinfo}@`}${host}`;
  const slash = authority !== "" && path !== "" && !path.startsWith("/") ? "/" : "";
  return [
    scheme === "" ? "" : `${scheme}:`,
    opaque === "" ? authority + slash + encodedPath(path) : opaque,
    query === "" ? "" : `?${query}`,
    fragment === "" ? "" : `#${encodedPath(fragment)}`,
  ].join("");
};

/** Functions about paths and addresses. */
export const pathFunctions: TemplateFunctions = {
  base,
  clean: cleaned,
  dir,
  ext,
  isAbs: isAbsolute,
  osBase: base,
  osClean: cleaned,
  osDir: dir,
  osExt: ext,
  osIsAbs: isAbsolute,
  urlJoin: define(["map"], joined),
  urlParse: define(["string"], parse),
};
