import { MachineDeploymentResource, SecretResource } from "@capstan/contract/wire";
import { toBase64 } from "@capstan/kube-values";
import { recentClock } from "@capstan/testing";
import { expect } from "vitest";
import { silentView } from "../src/embedded-up.ts";
import { rotateAuthority } from "../src/rotate/rotate-authority.ts";
import { readBundles } from "../src/webhooks/webhook-bundles.ts";
import { ValidatingConfiguration } from "../src/webhooks/webhook-clients.ts";
import {
  createRollingWorld,
  installAll,
  keepWriting,
  refusal,
  startRunning,
  systemNamespace,
  type RollingWorld,
} from "./changed-providers.ts";
import { two } from "./changed-providers-cases.ts";
import { passingOn, type ManagedWorld } from "./managed-world.ts";

const place = { installation: "capstan", systemNamespace } as const;

/** A configuration that another user made, for nothing that is written. */
const foreign = (name: string, caBundle: string) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name },
  webhooks: [
    {
      name: "a.rotation.test",
      clientConfig: { url: "https://127.0.0.1:1/", caBundle },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      rules: [{ apiGroups: ["rotation.test"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["none"] }],
    },
  ],
});

/** What is trusted anywhere. */
const trusted = async ({ world }: RollingWorld): Promise<ReadonlySet<string>> =>
  new Set(
    (await readBundles(world.admin, {})).flatMap(({ bundles }) => bundles.flatMap(({ authorities }) => authorities)),
  );

const storedAuthority = async ({ world }: RollingWorld): Promise<string> => {
  const secret = await world.admin.get(SecretResource, { namespace: systemNamespace, name: "capstan-webhook" });
  return (secret as unknown as { readonly data: Readonly<Record<string, string>> }).data["ca.crt"] ?? "";
};

/** Every write is taken while the authority is replaced, also when that is interrupted; afterwards nothing trusts the old one. `pace`: virtual milliseconds in about one real one. */
export const expectRotation = async (
  server?: ManagedWorld["server"],
  pace: { readonly usual: number; readonly rotating: number } = { usual: 1000, rotating: 1000 },
): Promise<void> => {
  const clock = recentClock();
  const pass = passingOn(clock, pace.usual);
  const rotating = passingOn(clock, pace.rotating);
  await using rolling = await createRollingWorld(server, { clock, pass });
  const { admin } = rolling.world;
  await installAll(rolling, two);
  const manager = await startRunning(rolling, two, undefined, { leaderElect: false });
  rolling.route(manager.port);
  await pass(expect.poll(() => manager.leads, { timeout: 60_000 }).toBe(true));
  await expect.poll(() => refusal(rolling), { timeout: 60_000 }).toBeUndefined();
  const old = await storedAuthority(rolling);
  await admin.create(ValidatingConfiguration, foreign("trusts-it-too", old));
  expect([...(await trusted(rolling))].map((each) => toBase64(each))).toEqual([old]);
  const stop = keepWriting(rolling, { anew: true });
  const interrupted = new AbortController();
  const said: string[] = [];
  const view = {
    ...silentView,
    say: ({ type }: { readonly type: string }) => {
      said.push(type);
      if (said.length === 1) interrupted.abort(new Error("interrupted"));
    },
  };
  const rotate = (signal: AbortSignal) => rotating(rotateAuthority(admin, { ...place, clock, view, signal }));
  await expect(rotate(interrupted.signal)).rejects.toThrow("interrupted");
  expect(await storedAuthority(rolling)).toBe(old);
  await rotate(new AbortController().signal);
  expect(said).toEqual(["trusted", "trusted", "stored", "rotated"]);
  const next = await storedAuthority(rolling);
  expect(next).not.toBe(old);
  const inPlace = [...(await trusted(rolling))].map((each) => toBase64(each));
  expect(inPlace).toContain(next);
  expect(inPlace).not.toContain(old);
  // A change of configurations is heeded a moment later.
  for (let write = 0; write < 50; write++) await refusal(rolling);
  expect(await stop()).toEqual([]);
  expect(await refusal(rolling)).toBeUndefined();
  await installAll(rolling, two);
  expect(await storedAuthority(rolling)).toBe(next);
  // A Secret that is deleted is put back as it was, within a minute.
  await admin.delete(SecretResource, { namespace: systemNamespace, name: "capstan-webhook" });
  await rotating(expect.poll(() => storedAuthority(rolling).catch(() => ""), { timeout: 60_000 }).toBe(next));
  rolling.cut();
  expect(await refusal(rolling)).toBeUndefined();
  expect((await admin.list(MachineDeploymentResource)).items).toEqual([]);
  expect(rolling.world.failures).toEqual([]);
};
