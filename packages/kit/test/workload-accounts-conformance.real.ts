import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { describe, it } from "vitest";
import { workloadAccountCases } from "./workload/workload-account-cases.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

if (assets === "") {
  describe("a real kube-apiserver", () => {
    it("takes accounts", ({ skip }) => skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver"));
  });
} else {
  workloadAccountCases(() => startKubeApiserver({ assets, controllers: false }));
}
