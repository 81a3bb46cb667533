import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import { NamespaceResource } from "@capstan/contract/wire";
import { AzureClusterIdentity } from "@capstan/infra-azure/api";
import { admittedReferencesAnnotation, markedReferences } from "@capstan/kit/admission";
import { connect, createClient, loadKubeconfig, type Client } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { backUp, restoreBackup } from "../src/backup/run-backup.ts";
import { localKeyPlace, readReferenceKey } from "../src/cluster/reference-key.ts";
import { providerExtensions } from "../src/embedded-up.ts";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { installCrds } from "../src/providers/install-crds.ts";
import { nothingOutside } from "./managed-world.ts";

const clock = systemClock;
const signal = new AbortController().signal;
const environment = { clock, random: cryptoRandom, log: silentLogger, signal, write: () => undefined };
const logLevel = "silent";
const namespace = "team-a";

let folder: string;
const open: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-restored-"));
});
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true });
});

/** An embedded server that admits references, and an administrator of it. */
const start = async (name: string): Promise<{ readonly admin: Client; readonly kubeconfig: string }> => {
  const providers = await createProviders(providerNames, nothingOutside);
  const server = createApiServer({ clock, random: cryptoRandom, extensions: providerExtensions(providers) });
  await server.start();
  open.push(() => server.stop());
  const text = await server.adminKubeconfig();
  const kubeconfig = join(folder, name);
  writeFileSync(kubeconfig, text);
  const connection = connect({ access: await loadKubeconfig({ text }), clock });
  open.push(() => connection.close());
  const admin = createClient(connection);
  await installCrds(providers, { client: admin, clock, signal, conversion: "embedded" });
  await admin.create(NamespaceResource, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  return { admin, kubeconfig };
};

const identity = (name: string, annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: apiVersionOf(AzureClusterIdentity),
  kind: AzureClusterIdentity.kind,
  metadata: { namespace, name, annotations },
  spec: {
    type: "ServicePrincipal" as const,
    tenantID: "t",
    clientID: "c",
    clientSecret: { name: "theirs", namespace: "team-b" },
  },
});

/** Stores an object as it is, as only an administrator can. */
const storeUnseen = (admin: Client, object: KubeObject): Promise<unknown> =>
  admin.request({ method: "POST", path: "/capstan/v1/restore", body: { items: [object] } });

it("references that the backup's key admitted are admitted by the key of the server that they are restored to, and no others", async () => {
  const source = await start("source");
  await source.admin.create(AzureClusterIdentity, identity("admitted"));
  const { metadata } = await source.admin.create(AzureClusterIdentity, identity("copied"));
  const mark = metadata.annotations?.[admittedReferencesAnnotation] ?? "";
  await storeUnseen(source.admin, identity("forged", { [admittedReferencesAnnotation]: mark }));
  await storeUnseen(source.admin, identity("unseen"));
  const output = join(folder, "backup");
  await backUp({ output, dataDir: "", kubeconfig: source.kubeconfig, logLevel }, environment);

  const target = await start("target");
  await target.admin.create(AzureClusterIdentity, identity("own"));
  const flags = { dataDir: "", merge: true, force: false, newUids: false, logLevel } as const;
  await restoreBackup({ file: output, kubeconfig: target.kubeconfig, ...flags }, environment);

  const policy = markedReferences(readReferenceKey(target.admin, localKeyPlace), clock);
  const followed: Record<string, boolean> = {};
  for (const object of (await target.admin.list(AzureClusterIdentity, { namespace })).items) {
    followed[object.metadata.name ?? ""] = await policy.follows(AzureClusterIdentity, object);
  }
  expect(followed).toEqual({ admitted: true, copied: true, forged: false, own: true, unseen: false });
});
