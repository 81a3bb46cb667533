import { describe, expect, it } from "vitest";
import { linodeFiles, linodeOptions } from "./config.ts";

const file = `
# comment
[default]
token = from-file
api_version = v4beta
; comment
[work]
token=work-token
api_url = https://work.example/v4
`;

describe("linodeOptions", () => {
  it("lets variables win over the file", () => {
    const env = { LINODE_TOKEN: "from-env", LINODE_URL: "", LINODE_CA: "/ca.pem" };
    expect(linodeOptions({ env, configText: file, caText: "PEM" })).toEqual({
      token: "from-env",
      apiVersion: "v4beta",
      ca: "PEM",
    });
  });

  it("reads the named section", () => {
    expect(linodeOptions({ env: { LINODE_PROFILE: "work" }, configText: file })).toEqual({
      token: "work-token",
      url: "https://work.example/v4",
    });
  });

  it("names a section that is missing", () => {
    expect(() => linodeOptions({ env: { LINODE_PROFILE: "home" }, configText: file })).toThrow("[home]");
  });

  it("follows the user of a linode-cli file", () => {
    const configText = "[DEFAULT]\ndefault-user = me\n[me]\ntoken = mine\n";
    expect(linodeOptions({ env: {}, configText })).toEqual({ token: "mine" });
  });

  it("works with the environment alone", () => {
    expect(linodeOptions({ env: { LINODE_TOKEN: "t", LINODE_API_VERSION: "v4" } })).toEqual({
      token: "t",
      apiVersion: "v4",
    });
  });
});

describe("linodeFiles", () => {
  it("looks in the usual places, or only where told", () => {
    expect(linodeFiles({ HOME: "/home/me" })).toEqual({
      config: ["/home/me/.config/linode", "/home/me/.config/linode-cli"],
    });
    expect(linodeFiles({ HOME: "/home/me", LINODE_CONFIG: "/etc/linode", LINODE_CA: "/ca.pem" })).toEqual({
      config: ["/etc/linode"],
      ca: "/ca.pem",
    });
  });

  it("hands on the debug log only if it is asked for", () => {
    const debug = () => undefined;
    expect(linodeOptions({ env: { LINODE_DEBUG: "1" }, debug })).toEqual({ debug });
    expect(linodeOptions({ env: { LINODE_DEBUG: "0" }, debug })).toEqual({});
  });
});
