import { createApiServer } from "@capstan/apiserver";
import { seededRandom } from "@capstan/testing";
import { workloadAccountCases } from "./workload-account-cases.ts";

workloadAccountCases(async ({ clock }) => {
  const server = createApiServer({ clock, random: seededRandom(3) });
  await server.start();
  return { kubeconfig: await server.adminKubeconfig(), stop: () => server.stop() };
});
