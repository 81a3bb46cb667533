/** Returns whether two names or IDs are the same to ARM, which ignores the letter case. */
export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Returns whether an ID is that of something inside of another, or the other itself. */
export const isWithin = (id: string, scope: string): boolean =>
  same(id, scope) || id.toLowerCase().startsWith(`${scope.toLowerCase()}/`);

/** ID of the virtual network of a subnet. */
export const networkOf = (subnet: string): string => subnet.replace(/\/subnets\/[^/]+$/i, "");

/** ID of a resource group. */
export const groupId = (subscription: string, group: string): string =>
  `/subscriptions/${subscription}/resourceGroups/${group}`;

/** ID of a resource in a group. `type` is `Microsoft.Compute/virtualMachines`, or with more parts for children: then `names` has more. */
export const resourceId = (subscription: string, group: string, type: string, names: readonly string[]): string => {
  const [namespace = "", ...types] = type.split("/");
  const path = types.map((part, index) => `${part}/${names[index] ?? ""}`).join("/");
  return `${groupId(subscription, group)}/providers/${namespace}/${path}`;
};

/** Parts of a resource ID. */
export interface ParsedId {
  readonly subscription: string;
  readonly group: string;
  /** With all parts: `Microsoft.Network/virtualNetworks/subnets`. */
  readonly type: string;
  readonly names: readonly string[];
}

/** `undefined` for what is not the ID of a resource in a group. */
export const parseId = (id: string): ParsedId | undefined => {
  const [, subscription, group, namespace, rest] =
    /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+)\/(.+)$/i.exec(id) ?? [];
  if (subscription === undefined || group === undefined || namespace === undefined || rest === undefined) {
    return undefined;
  }
  const segments = rest.split("/");
  if (segments.length % 2 !== 0 || segments.includes("")) return undefined;
  const types = segments.filter((_, index) => index % 2 === 0);
  const names = segments.filter((_, index) => index % 2 === 1);
  return { subscription, group, type: [namespace, ...types].join("/"), names };
};
