import { KubeadmConfig } from "../objects.ts";
import {
  giveCertificates,
  giveContents,
  initialized,
  initializedWithout,
  isMade,
  isUnready,
  machine,
  runs,
  says,
  secret,
} from "./bootstrap-steps.ts";
import { wholeIgnitionSpec, wholeSpec } from "./bootstrap-specs.ts";
import { playedKinds, playedObject } from "./played-kinds.ts";
import { changed, clusterObject, scenario, type Scenario, step } from "./scenario.ts";
import { Secret } from "./stage.ts";

const controlPlane = { isControlPlane: true };
const certificatesUnknown = (name: string) => says(name, "CertificatesAvailable", "Unknown");

/** What becomes of the machines that join a cluster. */
export const joinScenarios: readonly Scenario[] = [
  scenario(
    "a worker joins",
    initialized(),
    machine("w"),
    runs("w"),
    changed("another spec", KubeadmConfig, "w", { spec: { preKubeadmCommands: ["true"] } }),
    step("its data is lost", (play) => play.remove(Secret, "w")),
  ),
  scenario("a worker joins with everything", initialized(), giveContents, machine("w", { spec: wholeSpec })),
  scenario(
    "a worker joins with everything by Ignition",
    initialized(),
    giveContents,
    machine("w", { spec: wholeIgnitionSpec }),
  ),
  scenario(
    "a worker joins with everything of an older Kubernetes",
    initialized(),
    giveContents,
    machine("w", { spec: wholeSpec, machine: { version: "v1.30.4" } }),
  ),
  scenario("a control plane grows", initialized(), machine("n", controlPlane), runs("n")),
  scenario(
    "a control plane grows with everything",
    initialized(),
    giveContents,
    machine("n", { ...controlPlane, spec: wholeSpec }),
  ),
  scenario(
    "a control plane grows without certificates",
    initializedWithout,
    machine("n", controlPlane, certificatesUnknown("n")),
    step("some", (play) => giveCertificates(play, ["ca", "etcd"])),
    step("all", (play) => giveCertificates(play, ["proxy", "sa"]), isMade("n")),
  ),
  scenario(
    "a worker without an authority",
    initializedWithout,
    machine("w", {}, certificatesUnknown("w")),
    step("it comes", (play) => giveCertificates(play, ["ca"]), isMade("w")),
  ),
  scenario(
    "an authority that cannot be read",
    step("a Cluster", async (play) => {
      await giveCertificates(play, ["ca"], (data) => ({ ...data, "tls.crt": "no certificate" }));
      await initializedWithout.act(play);
    }),
    machine("w", {}, () => true),
  ),
  scenario(
    "an authority without a certificate",
    step("a Cluster", async (play) => {
      await giveCertificates(play, ["ca"], ({ "tls.key": key = "" }) => ({ "tls.key": key }));
      await initializedWithout.act(play);
    }),
    machine("w", {}, () => true),
    machine("n", controlPlane, () => true),
  ),
  scenario(
    "a cluster that cannot be reached",
    step("a Cluster", async (play) => {
      await giveCertificates(play, ["ca"]);
      await play.create(
        playedObject(playedKinds.cluster, "prod", { controlPlaneEndpoint: { host: "203.0.113.40", port: 6443 } }),
        playedObject(playedKinds.controlPlane, "prod"),
        clusterObject(),
      );
      await play.report(playedKinds.cluster, "prod", { initialization: { provisioned: true } });
      await play.report(playedKinds.controlPlane, "prod", { initialization: { controlPlaneInitialized: true } });
    }),
    machine("w", {}, () => true),
  ),
  scenario(
    "discovery by a file",
    initialized(),
    machine("w", { spec: { joinConfiguration: { discovery: { file: { kubeConfigPath: "/etc/played.conf" } } } } }),
    machine("v", {
      spec: {
        joinConfiguration: {
          discovery: {
            file: {
              kubeConfigPath: "/etc/played.conf",
              kubeConfig: {
                user: {
                  exec: { command: "login", args: ["a"], env: [{ name: "A", value: "b" }], provideClusterInfo: true },
                },
              },
            },
            tlsBootstrapToken: "abcdef.0123456789abcdef",
          },
        },
      },
    }),
    machine("u", {
      spec: {
        joinConfiguration: {
          discovery: {
            file: {
              kubeConfigPath: "/etc/played.conf",
              kubeConfig: {
                cluster: { server: "https://192.0.2.6:6443", tlsServerName: "a", proxyURL: "http://192.0.2.9" },
                user: { authProvider: { name: "played", config: { a: "b" } } },
              },
            },
          },
        },
      },
    }),
  ),
  scenario(
    "discovery as the user says",
    initialized(),
    machine("w", {
      spec: {
        joinConfiguration: {
          discovery: { bootstrapToken: { apiServerEndpoint: "192.0.2.7:6443", unsafeSkipCAVerification: true } },
        },
      },
    }),
    machine("v", {
      spec: { joinConfiguration: { discovery: { bootstrapToken: { caCertHashes: [`sha256:${"a".repeat(64)}`] } } } },
    }),
  ),
  scenario(
    "a worker as a control plane",
    initialized(),
    machine(
      "w",
      { spec: { joinConfiguration: { controlPlane: { localAPIEndpoint: { bindPort: 6444 } } } } },
      () => true,
    ),
  ),
  scenario(
    "contents that are missing",
    initialized(),
    machine(
      "w",
      { spec: { files: [{ path: "/a", contentFrom: { secret: { name: "late", key: "a" } } }] } },
      isUnready("w"),
    ),
    step("they come", (play) => play.create(secret("late", { a: "a" })), isMade("w")),
    machine(
      "v",
      { spec: { files: [{ path: "/a", contentFrom: { secret: { name: "late", key: "b" } } }] } },
      isUnready("v"),
    ),
    machine(
      "u",
      { spec: { users: [{ name: "a", passwdFrom: { secret: { name: "none", key: "b" } } }] } },
      isUnready("u"),
    ),
  ),
];
