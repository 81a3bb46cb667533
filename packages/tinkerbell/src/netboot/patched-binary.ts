import { CapstanError } from "@capstan/contract";

/** The text that the script in binaries of Tinkerbell has in the place of one's own lines: two comments. */
export const scriptPlaceholder = [
  "#a8b7e61f1075c37a793f2f92cee89f7bba00c4a8d7842ce3d40b5889032d8881",
  "#ddd16a4fc4926ecefdfb6941e33c44ed3647133638f5e84021ea44d3152e7f97",
].join("\n");

const placeholder = Buffer.from(scriptPlaceholder);

/** Returns whether a binary carries Tinkerbell's script, and so tells DHCP that it is Tinkerbell's iPXE. */
export const hasScript = (binary: Uint8Array): boolean => Buffer.from(binary).includes(placeholder);

/** Refuses lines that no binary has room for. Throws `tink.options_invalid`. */
export const checkPatch = (patch: string): void => {
  if (Buffer.byteLength(patch) <= placeholder.length) return;
  throw new CapstanError({
    code: "tink.options_invalid",
    reason: "OptionsInvalid",
    message: `ipxePatch has ${Buffer.byteLength(patch)} bytes, but binaries have room for ${placeholder.length}; shorten it`,
    retry: { kind: "never" },
  });
};

/** Returns the binary with lines in the place of the placeholder, of the same length; unchanged without either. */
export const patchedBinary = (binary: Buffer, patch: string): Buffer => {
  const at = patch === "" ? -1 : binary.indexOf(placeholder);
  if (at === -1) return binary;
  const patched = Buffer.from(binary);
  patched.fill(0x20, at, at + placeholder.length);
  patched.write(patch, at, "utf8");
  return patched;
};
