import { loadKubeconfig } from "@capstan/kube";
import { expect, it } from "vitest";
import { podKubeconfig } from "./cluster-access.ts";

it.each([
  [{ KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443" }, "https://10.0.0.1:6443"],
  [{ KUBERNETES_SERVICE_HOST: "fd00::1" }, "https://[fd00::1]:443"],
])("a Pod with %o is served at %s", async (environment, url) => {
  expect((await loadKubeconfig({ text: podKubeconfig(environment) })).url).toBe(url);
});
