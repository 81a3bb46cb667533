import type { View } from "../view/view.ts";

type Event = Parameters<View["say"]>[0];

/** A workload cluster and the path of its kubeconfig. */
export interface WorkloadKubeconfig {
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

interface Standing {
  readonly kubeconfig: string;
  readonly workloads: readonly WorkloadKubeconfig[];
  /** Namespaces with MachineDeployments. */
  readonly scalable: readonly string[];
  /** True if every Machine runs. */
  readonly running: boolean;
  /** True if what runs here continues: then its servers can be asked. */
  readonly stays: boolean;
  /** True if workload clusters and their kubeconfigs are still there when the command has ended. */
  readonly outlives: boolean;
}

const namespaceFlag = (namespace: string): string => (namespace === "default" ? "" : `-n ${namespace} `);

/** A path as a word of a shell. */
const word = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

const commandsFor = ({ kubeconfig, scalable, workloads, stays }: Standing): readonly string[] => {
  const management = `kubectl --kubeconfig ${word(kubeconfig)}`;
  const [first] = workloads;
  const nodes = first === undefined ? [] : [`kubectl --kubeconfig ${word(first.path)} get nodes`];
  if (!stays) return nodes;
  if (first === undefined) return [`${management} get clusters,machines -A`];
  const flag = namespaceFlag(first.namespace);
  return [
    `${management} get clusters,machines -A`,
    ...nodes,
    ...(scalable.includes(first.namespace) ? [`${management} ${flag}scale machinedeployment --all --replicas 5`] : []),
    `${management} ${flag}delete cluster ${first.name}`,
  ];
};

const labelOf = ({ namespace, name }: WorkloadKubeconfig): string =>
  namespace === "default" ? name : `${namespace}/${name}`;

/** Suggests next commands for the running system; names nothing that will not exist when the user tries it. */
export const nextSteps = (standing: Standing): readonly Event[] => {
  const { kubeconfig, running, stays, outlives } = standing;
  const workloads = stays || outlives ? standing.workloads : [];
  const commands = commandsFor({ ...standing, workloads });
  return [
    ...(running ? [{ type: "running", text: "every Machine is running", fields: { running: true } }] : []),
    ...(stays
      ? [{ type: "kubeconfig", text: `management kubeconfig: ${kubeconfig}`, fields: { path: kubeconfig } }]
      : []),
    ...workloads.map((workload) => ({
      type: "kubeconfig",
      text: `kubeconfig of cluster ${labelOf(workload)}: ${workload.path}`,
      fields: { cluster: workload.name, namespace: workload.namespace, path: workload.path },
    })),
    ...(commands.length === 0
      ? []
      : [
          {
            type: "next",
            text: ["try next:", ...commands.map((line) => `  ${line}`)].join("\n"),
            fields: { commands },
          },
        ]),
  ];
};

/** Describes what is left after the command: where it is kept, how to continue and how to remove it. */
export const closingWords = (facts: {
  readonly dataDir: string;
  /** The folder is gone already. */
  readonly temporary: boolean;
  /** Machines are at a real cloud. */
  readonly real: boolean;
}): Event => {
  const { dataDir, temporary, real } = facts;
  const stay = "servers at the cloud keep running and are billed";
  if (temporary) {
    const text = `no state is kept${real ? `; ${stay}: remove them there` : ""}`;
    return { type: "stopped", text, fields: { kept: false } };
  }
  const remove = real
    ? `capstan down --data-dir ${word(dataDir)} deletes its Clusters; until then, ${stay}`
    : `rm -r ${word(dataDir)} removes it`;
  const text = `state is kept in ${dataDir}; rerun the same command to resume; ${remove}`;
  return { type: "stopped", text, fields: { kept: true, dataDir } };
};
