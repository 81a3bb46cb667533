import { Label } from "@capstan/contract";
import {
  begun,
  begunByMachines,
  controlPlaneBegins,
  giveCertificates,
  giveContents,
  isMade,
  isUnready,
  machine,
  makeConfigured,
  runs,
  says,
} from "./bootstrap-steps.ts";
import { wholeIgnitionSpec, wholeSpec } from "./bootstrap-specs.ts";
import { playedKinds, playedObject } from "./played-kinds.ts";
import { changed, clusterObject, isGone, removed, scenario, type Scenario, step } from "./scenario.ts";
import { ConfigMap, coreKinds } from "./stage.ts";

const { cluster: clusters } = coreKinds;
const { machine: machines } = coreKinds;
const controlPlane = { isControlPlane: true };
const certificatesUnknown = (name: string) => says(name, "CertificatesAvailable", "Unknown");

/** What becomes of the machines that begin a control plane. */
export const initScenarios: readonly Scenario[] = [
  scenario(
    "the first machine of a control plane",
    step("a Cluster without infrastructure", async (play) => {
      await giveCertificates(play, ["ca", "etcd", "proxy", "sa"]);
      await play.giveKubeconfig();
      await play.create(
        playedObject(playedKinds.cluster, "prod", { controlPlaneEndpoint: { host: "203.0.113.40", port: 6443 } }),
        playedObject(playedKinds.controlPlane, "prod"),
        clusterObject(),
      );
    }),
    machine("m", controlPlane, isUnready("m")),
    step(
      "infrastructure",
      (play) => play.report(playedKinds.cluster, "prod", { initialization: { provisioned: true } }),
      isMade("m"),
    ),
    controlPlaneBegins(),
    runs("m"),
    removed("deleted", machines, "m", isGone(machines, "m")),
  ),
  scenario(
    "the first machine of a control plane of Machines",
    begunByMachines({
      clusterNetwork: {
        pods: { cidrBlocks: ["10.40.0.0/16", "fd00::/64"] },
        services: { cidrBlocks: ["10.41.0.0/20"] },
        serviceDomain: "played.local",
      },
    }),
    machine("m", controlPlane),
    runs("m"),
    machine("n", controlPlane),
    machine("w"),
  ),
  scenario(
    "certificates of another kind",
    begunByMachines(),
    machine("m", {
      ...controlPlane,
      spec: { clusterConfiguration: { encryptionAlgorithm: "ECDSA-P384", caCertificateValidityPeriodDays: 30 } },
    }),
  ),
  scenario("the first machine without certificates", begun({}, []), machine("m", controlPlane)),
  scenario(
    "the first machine with everything",
    begun(),
    giveContents,
    machine("m", { ...controlPlane, spec: wholeSpec }),
  ),
  scenario(
    "the first machine with everything by Ignition",
    begun(),
    giveContents,
    machine("m", { ...controlPlane, spec: wholeIgnitionSpec }),
  ),
  scenario(
    "the first machine with everything of an older Kubernetes",
    begun(),
    giveContents,
    machine("m", { ...controlPlane, spec: wholeSpec, machine: { version: "v1.30.4" } }),
  ),
  scenario(
    "machines begin at once",
    begun(),
    step("a worker", (play) => makeConfigured(play, "w", {}), isUnready("w")),
    machine("m", controlPlane),
    machine("n", controlPlane, () => true),
    controlPlaneBegins((play) => isMade("n")(play) && isMade("w")(play)),
  ),
  scenario(
    "the lock of a Machine that is gone",
    begun(),
    step("a lock", (play) =>
      play.create({
        apiVersion: "v1",
        kind: ConfigMap.kind,
        metadata: { name: "prod-lock", labels: { [Label.clusterName]: "prod" } },
        data: { "lock-information": JSON.stringify({ machineName: "gone" }) },
      }),
    ),
    machine("m", controlPlane),
  ),
  scenario(
    "an external etcd",
    begun({}, ["ca", "proxy", "sa"]),
    machine(
      "m",
      {
        ...controlPlane,
        spec: {
          clusterConfiguration: {
            etcd: {
              external: {
                endpoints: ["https://192.0.2.5:2379"],
                caFile: "/etc/played/etcd-ca.crt",
                certFile: "/etc/played/etcd.crt",
                keyFile: "/etc/played/etcd.key",
              },
            },
          },
        },
      },
      certificatesUnknown("m"),
    ),
    step("its certificates", (play) => giveCertificates(play, ["etcd", "apiserver-etcd-client"]), isMade("m")),
  ),
  scenario(
    "a Cluster without an endpoint",
    step("a Cluster", async (play) => {
      await giveCertificates(play, ["ca", "etcd", "proxy", "sa"]);
      await play.giveKubeconfig();
      await play.create(
        playedObject(playedKinds.cluster, "prod"),
        playedObject(playedKinds.controlPlane, "prod"),
        clusterObject(),
      );
      await play.report(playedKinds.cluster, "prod", { initialization: { provisioned: true } });
      await play.report(playedKinds.controlPlane, "prod", { initialization: { controlPlaneInitialized: true } });
    }),
    machine("w", {}, () => true),
    changed(
      "an endpoint",
      clusters,
      "prod",
      { spec: { controlPlaneEndpoint: { host: "fd00::1", port: 6443 } } },
      isMade("w"),
    ),
  ),
  scenario(
    "versions that cannot be",
    begun(),
    machine("old", { ...controlPlane, machine: { version: "v1.21.0" } }, () => true),
    step("the old one goes", (play) => play.remove(machines, "old"), isGone(machines, "old")),
    step("a Machine without a version", async (play) => {
      await makeConfigured(play, "none", { ...controlPlane, machine: { version: undefined } });
    }),
  ),
];
