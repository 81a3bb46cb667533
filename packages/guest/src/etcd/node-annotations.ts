/** Distributions whose servers have etcd inside them. */
const names = ["k3s", "rke2"] as const;

/** The group of the annotations by which Nodes speak of their members of etcd. */
export const etcdPrefix = (distribution: (typeof names)[number]): string => `etcd.${distribution}.cattle.io`;

export const etcdPrefixes: readonly string[] = names.map(etcdPrefix);
