import { clusterSecretType, Label } from "@capstan/contract";
import { controllerOf, SecretResource, valueAt } from "@capstan/contract/wire";
import { fromBase64, toBase64 } from "@capstan/kube-values";
import { createCertificateAuthority, parseKubeconfig } from "@capstan/pki";
import type { Kind } from "@capstan/schema";
import { MemoryMachine, MemoryMachineTemplate } from "@capstan/testing/infra-memory";
import { ConformanceEnvironment, ControlPlaneScene } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { kubeadmSubject } from "./kubeadm-subject.ts";
import { kubeadmWorld } from "./workload-world.ts";

const world = kubeadmWorld();
const subject = kubeadmSubject(world);
let environment: ConformanceEnvironment;

beforeAll(async () => {
  const kinds: readonly Kind[] = [...subject.kinds, MemoryMachine, MemoryMachineTemplate];
  environment = await ConformanceEnvironment.start(kinds);
});
afterAll(async () => {
  await environment.stop();
  await world.stop();
});

/** Base64 in lines of 70 characters, as kustomize's generator of Secrets writes it. */
const wrapped = (text: string): string => toBase64(text).replaceAll(/.{1,70}/g, "$&\n");

/** A Secret with the cluster's authority as a user writes one, and the certificate in it. */
const authority = async (scene: ControlPlaneScene) => {
  const { certificate, key } = await createCertificateAuthority({
    now: environment.clock.now(),
    commonName: "kubernetes",
    algorithm: "ECDSA-P256",
  });
  const { clusterName } = scene.core;
  const metadata = { ...scene.core.key(`${clusterName}-ca`), labels: { [Label.clusterName]: clusterName } };
  const data = { "tls.crt": wrapped(certificate), "tls.key": wrapped(key) };
  return { certificate, secret: { apiVersion: "v1", kind: "Secret", metadata, type: clusterSecretType, data } };
};

it.each(["created", "applied by the server"])(
  "a control plane comes up with a user's own authority whose base64 is in lines, %s",
  async (how) => {
    const scene = new ControlPlaneScene(environment, subject, await environment.namespace());
    const { certificate, secret } = await authority(scene);
    const { client } = environment;
    const key = scene.core.key(secret.metadata.name);
    if (how === "created") await client.create(SecretResource, secret);
    else await client.patch(SecretResource, key, { type: "apply", body: secret }, { fieldManager: "kubectl" });
    await scene.create();
    const running = await scene.managers.start();
    await scene.settled();
    const stored = await client.get(SecretResource, key);
    expect(stored).toMatchObject({ data: { "tls.crt": toBase64(certificate) } });
    expect(controllerOf(stored)?.kind, "written to by the control plane").toBe(subject.controlPlaneKind.kind);
    const kubeconfig = await client.get(SecretResource, scene.core.key(`${scene.core.clusterName}-kubeconfig`));
    const { certificateAuthority } = parseKubeconfig(fromBase64(String(valueAt(kubeconfig, "data.value"))));
    expect(certificateAuthority).toBe(certificate);
    await running.stop();
  },
);
