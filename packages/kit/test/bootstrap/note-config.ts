import { Group } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { bootstrapConfigStatus } from "@capstan/contract/v1";
import { contractLabel } from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import { type BootstrapAuthor, bootstrapConfig, cloudConfig, ready, waiting } from "@capstan/kit/bootstrap";
import { kind, object, optional, string } from "@capstan/schema";

/** The smallest bootstrap config: one command. */
export const NoteConfig = kind({
  group: Group.bootstrap,
  version: "v1beta1",
  kind: "NoteConfig",
  plural: "noteconfigs",
  labels: { [contractLabel("v1beta2")]: "v1beta1" },
  description: "Bootstrap data that runs one command.",
  spec: object({
    command: string({ description: "The command.", maxLength: 1024 }),
    token: optional(string({ description: "Made by the controller.", maxLength: 64 })),
  }),
  status: bootstrapConfigStatus({}),
});
export type NoteConfig = typeof NoteConfig.Type;

export interface NoteProviderOptions {
  /** Called with every verb, for example `generate`. */
  readonly onVerb?: (verb: string) => void;
  /** Says no until it says yes. */
  readonly mayGenerate?: () => boolean;
  /** Removes what was made outside; absent: nothing was. */
  readonly remove?: NonNullable<BootstrapAuthor<NoteConfig>["remove"]>;
}

/** A bootstrap provider that persists a token before it renders, as real ones have to. */
export const createNoteProvider = (options: NoteProviderOptions = {}): ProviderV1 =>
  defineProvider({
    name: "bootstrap-note",
    kinds: [NoteConfig],
    register: (host) =>
      host.add(
        bootstrapConfig<NoteConfig>({
          kind: NoteConfig,
          readyInputs: ["TokenAvailable"],
          generate: async (context) => {
            options.onVerb?.("generate");
            if (options.mayGenerate?.() === false) {
              return waiting({ reason: "NotYet", message: "not yet", requeueAfterMs: 10_000 });
            }
            const token = context.object.spec.token ?? Buffer.from(context.random.bytes(8)).toString("hex");
            const stored = await context.persistSpec({ token });
            context.condition({ type: "TokenAvailable", status: "True", reason: "Available" });
            const runcmd = [`${stored.spec.command} ${stored.spec.token ?? ""}`];
            return ready({ value: cloudConfig({ sections: { runcmd } }), format: "cloud-config" });
          },
          refresh: async () => {
            options.onVerb?.("refresh");
            return { requeueAfterMs: 300_000 };
          },
          joined: async () => options.onVerb?.("joined"),
          ...(options.remove !== undefined && { remove: options.remove }),
        }),
      ),
  });
