import { rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { specOf, textOf } from "../values/object-parts.ts";
import { badRequest, conflict, invalid, isStatusError, notFound } from "../model/status-error.ts";
import type { ActionCall, User, VirtualResource } from "../model/types.ts";
import { authenticated, type TokenAuthenticator } from "./authenticator.ts";
import type { BoundObject, ServiceAccountTokens } from "./service-account-tokens.ts";

type Fields = Readonly<Record<string, unknown>>;

const userInfo = ({ name, uid, groups, extra }: User): Fields => ({
  username: name,
  ...(uid === undefined ? {} : { uid }),
  groups,
  ...(extra === undefined ? {} : { extra }),
});

const reviewed = async (
  token: string,
  audiences: readonly string[] | undefined,
  accounts: ServiceAccountTokens,
  authenticators: readonly TokenAuthenticator[],
): Promise<Fields> => {
  const account = await accounts.verify(token, audiences);
  if (account !== undefined) {
    return { authenticated: true, user: userInfo(authenticated(account.user)), audiences: account.audiences };
  }
  for (const authenticator of authenticators) {
    const user = await authenticator(token);
    if (user !== undefined) {
      return {
        authenticated: true,
        user: userInfo(authenticated(user)),
        ...(audiences === undefined ? {} : { audiences }),
      };
    }
  }
  return { user: {}, error: "invalid bearer token" };
};

/** TokenReview and SelfSubjectReview; by `group/plural`. */
export const identityReviews = (
  accounts: ServiceAccountTokens,
  authenticators: readonly TokenAuthenticator[],
): Readonly<Record<string, VirtualResource>> => ({
  "authentication.k8s.io/selfsubjectreviews": {
    create: async (call) => ({
      ...(call.body as KubeObject),
      metadata: { creationTimestamp: rfc3339(call.now) },
      status: { userInfo: userInfo(call.user) },
    }),
  },
  "authentication.k8s.io/tokenreviews": {
    create: async (call) => {
      const body = call.body as KubeObject;
      const spec = (body["spec"] ?? {}) as { readonly token?: string; readonly audiences?: readonly string[] };
      if ((spec.token ?? "") === "") throw badRequest("token is required for TokenReview in authentication");
      const audiences = (spec.audiences ?? []).length === 0 ? undefined : spec.audiences;
      return { ...body, status: await reviewed(spec.token ?? "", audiences, accounts, authenticators) };
    },
  },
});

const defaultSeconds = 3_600;
const minimumSeconds = 600;
const maximumSeconds = 2 ** 32;

interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: { readonly kind?: string; readonly name?: string; readonly uid?: string };
}

const boundPlurals = { Pod: "pods", Secret: "secrets", Node: "nodes" } as const;

/** Object that a token is bound to; for a Pod, also its node. */
interface Bound {
  readonly bound?: BoundObject;
  readonly node?: { readonly name: string; readonly uid: string };
}

const nodeOfPod = (call: ActionCall, pod: KubeObject): Pick<Bound, "node"> => {
  const name = textOf(specOf(pod)["nodeName"]);
  const node = call.store.peek({ group: "", plural: "nodes" }, { name });
  return name === "" ? {} : { node: { name, uid: node?.metadata.uid ?? "" } };
};

const boundObject = async (call: ActionCall, ref: TokenRequestSpec["boundObjectRef"]): Promise<Bound> => {
  if (ref === undefined) {
    return {};
  }
  const { kind = "", name = "" } = ref;
  if (kind !== "Pod" && kind !== "Secret" && kind !== "Node") {
    throw badRequest(`cannot bind token to object of kind ${kind}: it must be Pod, Secret or Node`);
  }
  const object = await call.store.get(
    { group: "", plural: boundPlurals[kind] },
    { name, ...(kind === "Node" ? {} : { namespace: call.namespace }) },
  );
  const uid = object.metadata.uid as string;
  if (ref.uid !== undefined && ref.uid !== uid) {
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record`;
    throw conflict(
      { group: "", plural: boundPlurals[kind], kind },
      name,
      `${why}. The object might have been deleted and then recreated`,
    );
  }
  if (kind === "Pod" && specOf(object)["serviceAccountName"] !== call.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(call.name)} to pod running with different serviceaccount name.`,
    );
  }
  return { bound: { kind, name, uid }, ...(kind === "Pod" ? nodeOfPod(call, object) : {}) };
};

/** POST serviceaccounts/NAME/token: a signed token in the status. Throws 404 or 422. */
export const issueToken =
  (accounts: ServiceAccountTokens) =>
  async (call: ActionCall): Promise<KubeObject> => {
    const body = call.body as KubeObject;
    const spec = (body["spec"] ?? {}) as TokenRequestSpec;
    const seconds = spec.expirationSeconds ?? defaultSeconds;
    if (seconds < minimumSeconds || seconds > maximumSeconds) {
      throw invalid({ group: "authentication.k8s.io", plural: "tokenrequests", kind: "TokenRequest" }, "", [
        {
          reason: "FieldValueInvalid",
          field: "spec.expirationSeconds",
          message: `Invalid value: ${seconds}: may not specify a duration less than 10 minutes or larger than 2^32 seconds`,
        },
      ]);
    }
    let account: KubeObject;
    try {
      account = await call.store.get({ group: "", plural: "serviceaccounts" }, call);
    } catch (error) {
      throw isStatusError(error, "NotFound") ? notFound(call.definition, call.name) : error;
    }
    const bound = await boundObject(call, spec.boundObjectRef);
    const audiences = (spec.audiences ?? []).length === 0 ? [accounts.issuer] : (spec.audiences as readonly string[]);
    const token = await accounts.sign({
      namespace: call.namespace,
      name: call.name,
      uid: account.metadata.uid as string,
      expiresInSeconds: seconds,
      audiences,
      ...bound,
    });
    return {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name: call.name, namespace: call.namespace, creationTimestamp: rfc3339(call.now) },
      spec: { ...spec, audiences, expirationSeconds: seconds },
      status: { token, expirationTimestamp: rfc3339(call.now + seconds * 1000) },
    };
  };
