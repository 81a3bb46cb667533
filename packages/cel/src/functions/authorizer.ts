import { bool, opaque, string } from "../types/cel-type.ts";
import { Opaque } from "../values/value.ts";
import { method } from "./overload.ts";
import type { Overload } from "./overload.ts";

/** Query of an expression: about a path that is not a resource, or about a resource. Absent members are empty. */
export interface AuthorizationQuery {
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly verb: string;
  /** Set by `serviceAccount(namespace, name)`: ask for this account instead of the requester. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason?: string;
  /** Set if the question could not be answered. */
  readonly error?: string;
}

type Ask = (query: AuthorizationQuery) => AuthorizationAnswer;

/** The variable `authorizer` of an admission expression. */
export class Authorizer extends Opaque {
  readonly typeName = "kubernetes.authorization.Authorizer";
  readonly ask: Ask;
  readonly query: Partial<AuthorizationQuery>;

  constructor(ask: Ask, query: Partial<AuthorizationQuery> = {}) {
    super();
    this.ask = ask;
    this.query = query;
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

/** A question under construction. */
class Check extends Opaque {
  readonly typeName: string;
  readonly ask: Ask;
  readonly query: Partial<AuthorizationQuery>;

  constructor(
    typeName: string,
    { ask, query }: { ask: Ask; query: Partial<AuthorizationQuery> },
    more: Partial<AuthorizationQuery>,
  ) {
    super();
    this.typeName = typeName;
    this.ask = ask;
    this.query = { ...query, ...more };
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

class Decision extends Opaque {
  readonly typeName = "kubernetes.authorization.Decision";
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super();
    this.answer = answer;
  }

  equals(other: Opaque): boolean {
    return this === other;
  }
}

const group = "kubernetes.authorization.GroupCheck";
const path = "kubernetes.authorization.PathCheck";
const resource = "kubernetes.authorization.ResourceCheck";

/** The type of the variable `authorizer`. */
export const authorizerType = opaque<Authorizer>("kubernetes.authorization.Authorizer");
/** The type of the variable `authorizer.requestResource`. */
export const resourceCheckType = opaque<Check>(resource);
const groupCheck = opaque<Check>(group);
const pathCheck = opaque<Check>(path);
const decision = opaque<Decision>("kubernetes.authorization.Decision");

/** The value of `authorizer.requestResource`: a check of the requested resource that lacks only the verb. */
export const resourceCheck = (authorizer: Authorizer, query: Partial<AuthorizationQuery>): Opaque =>
  new Check(resource, authorizer, query);

const decide = (check: Check, verb: string): Decision => new Decision(check.ask({ ...check.query, verb }));
/** So high that an expression can afford two checks at most; the answer is at hand. */
const expensive = { cost: () => 350_000, work: () => 100 };

/** The Kubernetes authorizer library. */
export const authorizerFunctions: readonly Overload[] = [
  method(
    authorizerType,
    "serviceAccount",
    [string, string],
    authorizerType,
    (authorizer, namespace, name) =>
      new Authorizer(authorizer.ask, { ...authorizer.query, serviceAccount: { namespace, name } }),
  ),
  method(
    authorizerType,
    "path",
    [string],
    pathCheck,
    (authorizer, value) => new Check(path, authorizer, { path: value }),
  ),
  method(
    authorizerType,
    "group",
    [string],
    groupCheck,
    (authorizer, value) => new Check(group, authorizer, { group: value }),
  ),
  method(
    groupCheck,
    "resource",
    [string],
    resourceCheckType,
    (check, value) => new Check(resource, check, { resource: value }),
  ),
  method(
    resourceCheckType,
    "subresource",
    [string],
    resourceCheckType,
    (check, value) => new Check(resource, check, { subresource: value }),
  ),
  method(
    resourceCheckType,
    "namespace",
    [string],
    resourceCheckType,
    (check, value) => new Check(resource, check, { namespace: value }),
  ),
  method(
    resourceCheckType,
    "name",
    [string],
    resourceCheckType,
    (check, value) => new Check(resource, check, { name: value }),
  ),
  method(pathCheck, "check", [string], decision, decide, expensive),
  method(resourceCheckType, "check", [string], decision, decide, expensive),
  method(decision, "allowed", [], bool, ({ answer }) => answer.allowed),
  method(decision, "reason", [], string, ({ answer }) => answer.reason ?? ""),
  method(decision, "errored", [], bool, ({ answer }) => answer.error !== undefined),
  method(decision, "error", [], string, ({ answer }) => answer.error ?? ""),
];
