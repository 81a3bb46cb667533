import { boolean, enumOf, int32, list, object, optional, text } from "@capstan/schema";
import { texts } from "./generation.ts";
import type { Generation } from "./generation.ts";

const fromSecret = (description: string) =>
  object(
    {
      secret: object(
        { name: text(253, "Name of the Secret."), key: text(256, "Key in its data.") },
        { description: "A Secret in the namespace of the object." },
      ),
    },
    { description },
  );

/** Files to write before kubeadm runs. */
export const files = (generation: Generation) =>
  list(
    object(
      {
        path: text(512, "Path of the file."),
        owner: optional(text(256, "User and group, for example root:root.")),
        permissions: optional(text(16, "Mode in octal, for example 0640.")),
        encoding: optional(
          enumOf(["base64", "gzip", "gzip+base64"], { description: "How the content is encoded; plain when unset." }),
        ),
        append: optional(boolean({ description: "Whether the content is added to an existing file." })),
        content: optional(text(10_240, "The content.")),
        contentFrom: optional(fromSecret("Where the content comes from instead.")),
        contentFormat: optional(
          enumOf(["Raw", "Template"], {
            description:
              "Template: the content is a Go template that may use .controlPlane.version and .machine.version.",
          }),
        ),
      },
      { description: "One file." },
    ),
    { description: "Files to write before kubeadm runs.", maxItems: 200, ...generation.list },
  );

/** Users to create. */
export const users = (generation: Generation) =>
  list(
    object(
      {
        name: text(256, "Name of the user."),
        gecos: optional(text(256, "Full name or comment.")),
        groups: optional(text(256, "Further groups, separated by commas.")),
        homeDir: optional(text(256, "Home directory.")),
        inactive: optional(boolean({ description: "Whether the account is created inactive." })),
        shell: optional(text(256, "Login shell.")),
        passwd: optional(text(256, "Hashed password.")),
        passwdFrom: optional(fromSecret("Where the hashed password comes from instead.")),
        primaryGroup: optional(text(256, "Primary group.")),
        lockPassword: optional(boolean({ description: "Whether login by password is disabled." })),
        sudo: optional(text(256, "Rule for sudo, for example ALL=(ALL) NOPASSWD:ALL.")),
        sshAuthorizedKeys: optional(
          texts("SSH keys that may log in.", "A public key.", {
            maxItems: 100,
            maxLength: 2048,
            ...generation.openList,
          }),
        ),
      },
      { description: "One user." },
    ),
    { description: "Users to create.", maxItems: 100, ...generation.list },
  );

/** Commands run by a shell on the machine. */
export const commands = (generation: Generation, description: string) =>
  texts(description, "A command for the shell.", { maxItems: 1000, maxLength: 10_240, ...generation.list });

/** Time synchronisation. */
export const ntp = (generation: Generation) =>
  object(
    {
      servers: optional(
        texts("Servers to ask.", "A host name or address.", { maxItems: 100, maxLength: 512, ...generation.openList }),
      ),
      enabled: optional(boolean({ description: "Whether the service runs." })),
    },
    { description: "Time synchronisation.", ...generation.object },
  );

/** Settings of the ignition format. */
export const ignition = (generation: Generation) =>
  object(
    {
      containerLinuxConfig: optional(
        object(
          {
            additionalConfig: optional(text(32_768, "Container Linux Config added to the generated one.")),
            strict: optional(boolean({ description: "Whether its warnings are errors." })),
          },
          { description: "Container Linux Config.", ...generation.object },
        ),
      ),
    },
    { description: "Settings of the ignition format.", ...generation.object },
  );

export const format = () =>
  enumOf(["cloud-config", "ignition"], {
    description: "Format of the bootstrap data; cloud-config when unset.",
  });

export const verbosity = () => int32({ description: "Verbosity of kubeadm's log, as after --v." });
