import { expect, it } from "vitest";
import { imageFor } from "./kube-proxy.ts";

it.each([
  ["registry.k8s.io/kube-proxy:v1.33.0", undefined, "registry.k8s.io/kube-proxy:v1.34.1"],
  ["localhost:5000/kube-proxy", undefined, "localhost:5000/kube-proxy:v1.34.1"],
  ["registry.k8s.io/kube-proxy:v1.33.0@sha256:00", undefined, "registry.k8s.io/kube-proxy:v1.34.1"],
  ["registry.k8s.io/kube-proxy:v1.33.0", "mirror.example/k8s", "mirror.example/k8s/kube-proxy:v1.34.1"],
])("%s from %s becomes %s", (image, repository, expected) => {
  expect(imageFor(image, "v1.34.1", repository)).toBe(expected);
});
