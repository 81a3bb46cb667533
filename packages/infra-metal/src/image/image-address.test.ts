import { describe, expect, it } from "vitest";
import { imageAddress, unknownVariables } from "./image-address.ts";

const facts = { BaseRegistry: "reg.example/os", OSDistro: "Ubuntu", OSVersion: "20.04", KubernetesVersion: "v1.34.1" };

describe("imageAddress", () => {
  it("writes distributions in lower case, and their versions without dots", () => {
    const format = "{{.BaseRegistry}}/{{.OSDistro}}-{{.OSVersion}}:{{.KubernetesVersion}}.gz";
    expect(imageAddress(format, facts)).toBe("reg.example/os/ubuntu-2004:v1.34.1.gz");
  });

  it("takes spaces and trim markers as Go's templates have them", () => {
    expect(imageAddress("{{ .OSDistro }}:{{- .OSVersion -}}", facts)).toBe("ubuntu:2004");
  });
});

describe("unknownVariables", () => {
  it("names what is not known of an image", () => {
    expect(unknownVariables("{{.BaseRegistry}}/{{.Arch}}:{{upper .OSDistro}}")).toEqual([
      "{{.Arch}}",
      "{{upper .OSDistro}}",
    ]);
  });
});
