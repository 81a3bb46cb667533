import type { Logger } from "@capstan/contract";
import { silentLogger } from "@capstan/contract";
import { conditionOf } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AzureCluster } from "../src/api.ts";
import { oneMachine } from "./machine-scene.ts";
import { isReady, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const data = "#cloud-config\n# custom-data-is-secret\n";
const customData = Buffer.from(data).toString("base64");
const joinToken = "abcdef.0123456789abcdef";
const certificateKey = "c0ffee".repeat(10).slice(0, 64);

const loggerInto = (lines: string[]): Logger => {
  const note = (message: string, fields: object = {}): void =>
    void lines.push(
      `${message} ${JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? `${value.stack} ${String(value.cause)}` : value))}`,
    );
  const log: Logger = { ...silentLogger, debug: note, info: note, warn: note, error: note, child: () => log };
  return log;
};

it("custom data, protected settings, tokens and signed addresses are in no log, error, event, condition or Secret of ours", async () => {
  const lines: string[] = [];
  const token = "eyJhbGciOiJub25lIn0.eyJzZWNyZXQiOiJ0b2tlbiJ9.c2ln";
  await using scene = await oneMachine(environment, { provider: { log: loggerInto(lines) } });
  const { blobs, faults, guestPlans } = scene.cloud.simulator;
  const quoting = `the request {"properties":{"osProfile":{"customData":"${customData}"},"protectedSettings":{"deep":{"password":"hunter2"}}}} with Bearer ${token} to https://x.blob.core.windows.net/c/b?sv=1&sig=sig-is-secret was refused`;
  // Refused once in Azure's words, which quote what was sent.
  const refusal = { kind: "status", status: 400, code: "InvalidParameter", reason: quoting } as const;
  faults.add({ method: "PUT", path: /\/virtualMachines\/m$/i, action: refusal });
  faults.add({ method: "PUT", path: /\/extensions\//i, action: { ...refusal, status: 409 } });
  faults.add({ path: /retrieveBootDiagnosticsData$/i, action: { ...refusal, status: 500 } });
  blobs.faults.add({ action: { kind: "reset" } });
  const stdout = `capstan-bootstrap-check/v1 failed\nkubeadm join --token ${joinToken} --certificate-key ${certificateKey}\ncurl https://x.blob.core.windows.net/c/b?sv=1&sig=sig-is-secret\nerror execution phase preflight: token ${joinToken} is not known\n`;
  guestPlans.add({ machine: "m", console: `join ${joinToken}`, extension: { exit: 1, stdout } });
  const protectedSettings = { commandToExecute: "echo protected-is-secret" };
  const custom = { name: "CustomScript", publisher: "Microsoft.Azure.Extensions", version: "2.1", protectedSettings };
  await scene.managers.start();
  // What was refused is tried at once when the cluster changes, as it does until it is ready.
  const { core } = scene;
  await environment.eventually<AzureCluster>(AzureCluster, core.key(core.clusterName), (found) => isReady(found!));
  await scene.create({ disableVMBootstrapExtension: false, vmExtensions: [custom] }, {}, data);
  const refused = await scene.is((found) => conditionOf(found, "Ready", "v1beta1")?.reason === "AzureRefused");
  expect(conditionOf(refused, "Ready", "v1beta1")?.message).toContain("was refused (InvalidParameter)");
  const message = await scene.verdict("Failed");
  expect(message).toContain("error execution phase preflight: token [redacted] is not known");
  await scene.pass(60_000);
  // The spec is the user's own.
  const { metadata, status } = await scene.get();
  const objects = [refused.metadata, refused.status, metadata, status];
  const shown = JSON.stringify([objects, await scene.events(), await scene.log(), lines]);
  expect(lines.length).toBeGreaterThan(20);
  for (const secret of [
    customData,
    "custom-data-is-secret",
    "hunter2",
    "protected-is-secret",
    "sig-is-secret",
    joinToken,
    certificateKey,
    token,
    "commandToExecute",
  ]) {
    expect(shown).not.toContain(secret);
  }
  expect(JSON.stringify([await scene.events(), lines, refused.status, status]), "addresses of operations").not.toMatch(
    /[?&](?:s|sig|sv|t|c)=/,
  );
});
