import { turnsUntil } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { withRenderedTemplates } from "./file-templates.ts";
import type { Context } from "./uses.ts";

const context = {
  object: { metadata: { namespace: "default" } },
  cluster: { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: {} },
} as unknown as Context;

const rendered = async (...contents: readonly string[]) => {
  const files = contents.map((content, index) => ({ path: `/f${index}`, content, contentFormat: "Template" as const }));
  const plain = { path: "/plain", content: "{{ as it is }}" };
  const all = await withRenderedTemplates(context, [plain, ...files], [plain, ...files]);
  return all.map(({ content }) => content);
};

describe("files that are templates", () => {
  it("are rendered, and others stay as they are", async () => {
    expect(await rendered('{{ print "a" }}', "b")).toEqual(["{{ as it is }}", "a", "b"]);
  });

  it("are not tried again when one of them cannot be rendered", async () => {
    await expect(rendered("fine", "{{ .no")).rejects.toMatchObject({
      code: "kubeadm.template_invalid",
      message: expect.stringContaining("spec.files[2] (/f1)") as string,
      retry: { kind: "never" },
    });
  });

  it("are rendered while everything else goes on when they take long", async () => {
    const work = rendered("{{ range 20000 }}{{ end }}done");
    expect(await turnsUntil(work)).toBeGreaterThan(0);
    expect(await work).toEqual(["{{ as it is }}", "done"]);
  });

  it("share what they may cost", async () => {
    const contents = Array.from({ length: 10 }, () => "{{ range 20000 }}{{ end }}");
    await expect(rendered(...contents)).rejects.toMatchObject({
      code: "kubeadm.template_invalid",
      message: expect.stringContaining("too many characters and items") as string,
    });
  });
});
