import { Group, Label } from "@capstan/contract";
import { clusterSecretName } from "@capstan/contract/wire";
import { createCertificateAuthority, createServiceAccountKeys } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { KubeadmConfig } from "../objects.ts";
import { contents } from "./bootstrap-specs.ts";
import type { AnyObject } from "../world.ts";
import type { Play } from "./play.ts";
import { playedKinds, playedObject, refTo } from "./played-kinds.ts";
import { clusterObject, endpoint, makeCluster, object, type Step, step } from "./scenario.ts";
import { coreKinds, MachinePool, Secret } from "./stage.ts";

type Fields = Readonly<Record<string, unknown>>;

/** How a Machine with a KubeadmConfig of its name is made. */
export interface Configured {
  /** Of the KubeadmConfig. Default: none. */
  readonly spec?: Fields;
  readonly isControlPlane?: boolean;
  /** Fields of the Machine beside the usual. */
  readonly machine?: Fields;
  /** Of the KubeadmConfig beside the name. */
  readonly metadata?: Fields;
}

export const configObject = (name: string, spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: `${Group.bootstrap}/v1beta2`,
  kind: KubeadmConfig.kind,
  metadata: { name, ...metadata },
  ...(Object.keys(spec).length > 0 && { spec }),
});

const configRef = (name: string) => ({ apiGroup: Group.bootstrap, kind: KubeadmConfig.kind, name });

/** A Machine whose config is there already, or comes later. */
export const makeConfiguredMachine = (play: Play, name: string, { isControlPlane = false, machine }: Configured) =>
  play.create(
    playedObject(playedKinds.machine, name),
    object(
      coreKinds.machine,
      name,
      {
        clusterName: "prod",
        version: "v1.34.1",
        bootstrap: { configRef: configRef(name) },
        infrastructureRef: refTo(playedKinds.machine, name),
        ...machine,
      },
      isControlPlane ? { labels: { [Label.controlPlane]: "" } } : {},
    ),
  );

export const makeConfigured = async (play: Play, name: string, configured: Configured): Promise<void> => {
  await play.create(configObject(name, configured.spec, configured.metadata));
  await makeConfiguredMachine(play, name, configured);
};

/** Returns whether the data of a config is there. */
export const isMade =
  (name: string) =>
  (play: Play): boolean =>
    play
      .objects(KubeadmConfig)
      .some(({ metadata, status }) => metadata.name === name && status?.initialization?.dataSecretCreated === true);

/** Returns whether a condition of a config is as told. */
export const says =
  (name: string, type: string, status: string) =>
  (play: Play): boolean =>
    play
      .objects(KubeadmConfig)
      .some(
        ({ metadata, status: { conditions = [] } = {} }) =>
          metadata.name === name && conditions.some((each: AnyObject) => each.type === type && each.status === status),
      );

export const isUnready = (name: string) => says(name, "Ready", "False");

export const machine = (name: string, configured: Configured = {}, until: Step["until"] = isMade(name)): Step =>
  step("a Machine", (play) => makeConfigured(play, name, configured), until);

export const pool = (spec: Fields = {}, replicas = 2): Step =>
  step(
    "a MachinePool",
    async (play) => {
      await play.create(
        configObject("pool", spec),
        playedObject(playedKinds.pool, "pool"),
        object(MachinePool, "pool", {
          clusterName: "prod",
          replicas,
          template: {
            spec: {
              clusterName: "prod",
              version: "v1.34.1",
              bootstrap: { configRef: configRef("pool") },
              infrastructureRef: refTo(playedKinds.pool, "pool"),
            },
          },
        }),
      );
    },
    isMade("pool"),
  );

const authority = createCertificateAuthority({ now: systemClock.now() });
const keys = createServiceAccountKeys();

/** Certificates as a user or a control plane object brings them. */
export const giveCertificates = async (
  play: Play,
  purposes: readonly string[],
  change: (data: Record<string, string>) => Record<string, string> = (data) => data,
): Promise<void> => {
  const { certificate, key } = await authority;
  const { publicKey, privateKey } = await keys;
  for (const purpose of purposes) {
    const [crt, secret] = purpose === "sa" ? [publicKey, privateKey] : [certificate, key];
    await play.create({
      apiVersion: "v1",
      kind: Secret.kind,
      metadata: { name: clusterSecretName("prod", purpose), labels: { [Label.clusterName]: "prod" } },
      type: "cluster.x-k8s.io/secret",
      stringData: change({ "tls.crt": crt, "tls.key": secret }),
    });
  }
};

const allCertificates = ["ca", "etcd", "proxy", "sa"];

/** A Cluster with its certificates, whose control plane answers. */
export const initialized = (spec: Fields = {}): Step =>
  step("a Cluster", async (play) => {
    await giveCertificates(play, allCertificates);
    await makeCluster(play, spec);
  });

/** The same without certificates. */
export const initializedWithout: Step = step("a Cluster", (play) => makeCluster(play));

/** A Cluster whose infrastructure is there and whose control plane is to begin. */
export const begun = (spec: Fields = {}, purposes: readonly string[] = allCertificates): Step =>
  step("a Cluster", async (play) => {
    await giveCertificates(play, purposes);
    await play.giveKubeconfig();
    await play.create(
      playedObject(playedKinds.cluster, "prod", { controlPlaneEndpoint: endpoint }),
      playedObject(playedKinds.controlPlane, "prod"),
      clusterObject(spec),
    );
    await play.report(playedKinds.cluster, "prod", { initialization: { provisioned: true } });
  });

/** The same without an object for the control plane: its Machines are all there is of it. */
export const begunByMachines = (spec: Fields = {}): Step =>
  step("a Cluster", async (play) => {
    await play.giveKubeconfig();
    await play.create(
      playedObject(playedKinds.cluster, "prod", { controlPlaneEndpoint: endpoint }),
      object(coreKinds.cluster, "prod", { infrastructureRef: refTo(playedKinds.cluster, "prod"), ...spec }),
    );
    await play.report(playedKinds.cluster, "prod", { initialization: { provisioned: true } });
  });

export const controlPlaneBegins = (until?: Step["until"]): Step =>
  step(
    "its control plane is there",
    (play) => play.report(playedKinds.controlPlane, "prod", { initialization: { controlPlaneInitialized: true } }),
    until,
  );

/** The machine runs, and its Node is there. */
export const runs = (name: string): Step =>
  step(`${name} runs`, async (play) => {
    await play.provision(name);
    await play.join(name);
  });

export const secret = (name: string, data: Readonly<Record<string, string>>, metadata: object = {}): AnyObject => ({
  apiVersion: "v1",
  kind: Secret.kind,
  metadata: { name, ...metadata },
  stringData: data,
});

export const giveContents: Step = step("contents", (play) => play.create(secret("contents", contents)));

/** The Secret of a config's token goes from the workload cluster. */
export const removeToken = async (play: Play, name: string): Promise<void> => {
  const config = play.objects(KubeadmConfig).find(({ metadata }) => metadata.name === name);
  const token: string = config.spec.joinConfiguration.discovery.bootstrapToken.token;
  const key = { namespace: "kube-system", name: `bootstrap-token-${token.split(".", 1)[0]}` };
  await play.stage.workload.delete(Secret, key);
};
