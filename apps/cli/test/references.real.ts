import { cryptoRandom, systemClock } from "@capstan/runtime";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { expect, it } from "vitest";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { createManagedWorld, nothingOutside } from "./managed-world.ts";
import {
  expectBoundUses,
  expectClones,
  expectEveryReferenceGuarded,
  expectMarks,
  shareCluster,
} from "./reference-cases.ts";
import { expectNoWayAround, expectTypesToStay } from "./reference-routes.ts";
import { areHeeded, startWithWebhooks } from "./webhook-cases.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

it("the webhooks of a manager ask a real API server for the right of whoever writes a reference into another namespace", async ({
  skip,
}) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  const real = await startKubeApiserver({ assets });
  await using world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server: {
      url: real.url,
      caCertificate: real.certificateAuthority.certificate,
      adminKubeconfig: async () => real.kubeconfig,
      stop: () => real.stop(),
    },
  });
  await startWithWebhooks(world, providerNames);
  await areHeeded(world);
  const providers = await createProviders(providerNames, nothingOutside);
  await using shared = await shareCluster(world.adminAccess, providers);
  await expectEveryReferenceGuarded(shared, providers);
  await expectBoundUses(shared);
  await expectClones(shared);
  await expectNoWayAround(shared);
  await expectTypesToStay(shared);
  await expectMarks(shared);
  expect(world.failures).toEqual([]);
}, 900_000);
