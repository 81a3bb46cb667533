import type { Answer, Api } from "../conformance/api.ts";

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Verbs and resources are parted by spaces; without names the rule is about all objects. */
export const ruleOf = (group: string, verbs: string, resources: string, resourceNames?: readonly string[]): Rule => ({
  verbs: verbs.split(" "),
  apiGroups: [group],
  resources: resources.split(" "),
  ...(resourceNames === undefined ? {} : { resourceNames }),
});

/** Where a case runs: everything that it makes has its name. */
export interface Place {
  readonly api: Api;
  /** The tenant's token, to be sent with its requests. */
  readonly as: string;
  /** The user that the tenant is. */
  readonly user: string;
  readonly namespace: string;
  /** Another team's. */
  readonly elsewhere: string;
  /** Of the case. */
  readonly name: string;
}

/** Something that a tenant of certain rights tries. `learnt.ts` says what a kube-apiserver makes of it. */
export interface TenantCase {
  readonly title: string;
  /** In the tenant's namespace. */
  readonly here?: readonly Rule[];
  /** In all namespaces and outside of them. */
  readonly everywhere?: readonly Rule[];
  /** What the administrator does before; resolves with answers that all have to be good. */
  readonly given?: (place: Place) => Promise<readonly Answer[]>;
  readonly send: (place: Place) => Promise<Answer>;
  /** What of the answer is compared besides its status. */
  readonly also?: (answer: Answer, place: Place) => unknown;
  /** Which right is missed first is not compared. */
  readonly isCoarse?: true;
}

/** Code, reason, kind and name of an answer, and what `also` makes of it; without what only this run has. */
export const outcomeOf = (answer: Answer, place: Place, { also, isCoarse }: TenantCase): string => {
  const { reason, details } = (answer.body ?? {}) as {
    readonly reason?: string;
    readonly details?: { readonly kind?: string; readonly name?: string };
  };
  const about = isCoarse === true ? [] : [details?.kind, details?.name];
  const failure = answer.code >= 400 ? [reason, ...about] : [];
  const more = also === undefined || answer.code >= 400 ? [] : [JSON.stringify(also(answer, place))];
  return [answer.code, ...failure, ...more]
    .filter((part) => part !== undefined && part !== "")
    .join(" ")
    .replaceAll(place.name, "NAME")
    .replaceAll(place.namespace, "NAMESPACE");
};

const rbacGroup = "rbac.authorization.k8s.io";
const rbacApi = `/apis/${rbacGroup}/v1`;
const selfReview = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

const marker = (resource: string): Rule => ({ verbs: ["get"], apiGroups: ["tenants.test"], resources: [resource] });

export const roleRefTo = (kind: string, name: string) => ({ apiGroup: rbacGroup, kind, name });

/** Gives the tenant its rights; each role has a right besides by which one sees that it counts. */
export const grant = async (place: Place, { here = [], everywhere = [] }: TenantCase): Promise<readonly Answer[]> => {
  const { api, namespace, name } = place;
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  const metadata = { name: `${name}-rights` };
  const inNamespace = `${rbacApi}/namespaces/${namespace}`;
  const binding = (kind: string) => ({ metadata, roleRef: roleRefTo(kind, metadata.name), subjects });
  return await Promise.all([
    api.post(`${inNamespace}/roles`, { metadata, rules: [...here, marker("here")] }),
    api.post(`${inNamespace}/rolebindings`, binding("Role")),
    api.post(`${rbacApi}/clusterroles`, { metadata, rules: [...everywhere, marker("everywhere")] }),
    api.post(`${rbacApi}/clusterrolebindings`, binding("ClusterRole")),
  ]);
};

/** Returns whether what `grant` gave counts already. */
export const isGranted = async ({ api, as, namespace }: Place): Promise<boolean> => {
  const may = async (resource: string, where: string): Promise<boolean> => {
    const resourceAttributes = { group: "tenants.test", verb: "get", resource, namespace: where };
    const review = await api.post(selfReview, { spec: { resourceAttributes } }, { as });
    return review.body?.status?.allowed === true;
  };
  return (await Promise.all([may("here", namespace), may("everywhere", "")])).every(Boolean);
};
