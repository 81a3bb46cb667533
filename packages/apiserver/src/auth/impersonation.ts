import type { IncomingHttpHeaders } from "node:http";
import { badRequest } from "../model/status-error.ts";
import type { RequestInfo, User } from "../model/types.ts";
import { refusalOf } from "./authorizer.ts";
import type { Rbac } from "./rbac.ts";

const extraPrefix = "impersonate-extra-";

const list = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

const impersonation = (
  group: string,
  resource: string,
  name: string,
  extra: Partial<RequestInfo> = {},
): RequestInfo => ({
  verb: "impersonate",
  path: "",
  isResource: true,
  group,
  version: "",
  resource,
  subresource: "",
  namespace: "",
  name,
  ...extra,
});

const serviceAccount = /^system:serviceaccount:([^:]+):([^:]+)$/;

const defaultGroups = (name: string): readonly string[] => {
  const [, namespace] = serviceAccount.exec(name) ?? [];
  return namespace === undefined ? [] : ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
};

const nameCheck = (name: string): RequestInfo => {
  const [, namespace, account] = serviceAccount.exec(name) ?? [];
  return namespace === undefined || account === undefined
    ? impersonation("", "users", name)
    : impersonation("", "serviceaccounts", account, { namespace });
};

/** The key of an extra, percent-encoded in the name of its header; one that is not is taken as it stands. */
const extraKey = (header: string): string => {
  const key = header.slice(extraPrefix.length);
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
};

interface Impersonated {
  readonly user: User;
  readonly needed: readonly RequestInfo[];
}

const wanted = (headers: IncomingHttpHeaders, distinct: NodeJS.Dict<string[]>): Impersonated | undefined => {
  const [name] = list(headers["impersonate-user"]);
  const groups = distinct["impersonate-group"] ?? [];
  const [uid] = list(headers["impersonate-uid"]);
  const extra = Object.entries(distinct)
    .filter(([header]) => header.startsWith(extraPrefix))
    .map(([header, values]) => [extraKey(header), values ?? []] as const);
  if (name === undefined) {
    if (groups.length > 0 || uid !== undefined || extra.length > 0) {
      throw badRequest("requested groups, uid or extra without impersonating a user");
    }
    return undefined;
  }
  const own = groups.length === 0 ? defaultGroups(name) : groups;
  const isAnonymous = name === "system:anonymous";
  return {
    user: {
      name,
      groups: [...own, isAnonymous ? "system:unauthenticated" : "system:authenticated"],
      ...(uid === undefined ? {} : { uid }),
      ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
    },
    needed: [
      nameCheck(name),
      ...groups.map((group) => impersonation("", "groups", group)),
      ...(uid === undefined ? [] : [impersonation("authentication.k8s.io", "uids", uid)]),
      ...extra.flatMap(([key, values]) =>
        values.map((value) => impersonation("authentication.k8s.io", "userextras", value, { subresource: key })),
      ),
    ],
  };
};

/** The user a request acts as: the `Impersonate-*` headers, if the real user holds the verb `impersonate`. Throws 400 or 403. */
export const actingUser = (
  rbac: Rbac,
  user: User,
  request: { readonly headers: IncomingHttpHeaders; readonly headersDistinct: NodeJS.Dict<string[]> },
): User => {
  if (!Object.keys(request.headers).some((header) => header.startsWith("impersonate-"))) {
    return user;
  }
  const impersonated = wanted(request.headers, request.headersDistinct);
  if (impersonated === undefined) {
    return user;
  }
  const refused = impersonated.needed.find((info) => rbac.allows(user, info) === undefined);
  if (refused !== undefined) {
    throw refusalOf(user, refused);
  }
  return impersonated.user;
};
