import { describe, expect, it } from "vitest";
import { imageAddress } from "./image-address.ts";

const facts = { BaseRegistry: "reg.example/os", OSDistro: "Ubuntu", OSVersion: "20.04", KubernetesVersion: "v1.34.1" };

describe("imageAddress", () => {
  it("writes distributions in lower case, and their versions without dots", () => {
    const format = "{{.BaseRegistry}}/{{.OSDistro}}-{{.OSVersion}}:{{.KubernetesVersion}}.gz";
    expect(imageAddress(format, facts)).toEqual({ address: "reg.example/os/ubuntu-2004:v1.34.1.gz" });
  });

  it("takes what templates of Go may say", () => {
    const format = '{{- .OSDistro -}} : {{- slice .KubernetesVersion 1 }}{{ if eq .OSDistro "ubuntu" }}-lts{{ end }}';
    expect(imageAddress(format, facts)).toEqual({ address: "ubuntu:1.34.1-lts" });
  });

  it("says what is wrong with a format", () => {
    expect(imageAddress("{{.BaseRegistry}}/{{.Arch}}", facts)).toEqual({ problem: expect.stringContaining('"Arch"') });
    expect(imageAddress("{{.BaseRegistry", facts)).toEqual({ problem: expect.stringContaining("template") });
  });
});
