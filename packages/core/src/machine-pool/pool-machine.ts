import { ownerReference } from "@capstan/contract/wire";
import { replaced } from "@capstan/kit/machines";
import { type Machine, MachinePool } from "../api.ts";

/** A pool as one of its machines, for what is decided by the spec of a Machine: conditions of what it refers to, labels of Nodes. */
export const asMachine = (pool: MachinePool): Machine => {
  const { template } = pool.spec;
  const { labels, annotations } = template.metadata ?? {};
  const { deletionTimestamp, namespace } = pool.metadata;
  return {
    apiVersion: pool.apiVersion,
    kind: pool.kind,
    metadata: replaced<Machine["metadata"]>(
      { ownerReferences: [ownerReference(MachinePool, pool, { controller: true })] },
      { namespace, labels, annotations, deletionTimestamp },
    ),
    spec: template.spec,
    status: { initialization: pool.status?.initialization ?? {} },
  };
};
