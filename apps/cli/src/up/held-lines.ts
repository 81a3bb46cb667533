import type { View } from "../view/view.ts";

/** Holds back what is said until it is released, but for warnings: what then fails is not preceded by lines about what came before it. */
export const heldLines = (view: View): { readonly view: View; release(): void } => {
  let held: Parameters<View["say"]>[0][] | undefined = [];
  return {
    view: {
      ...view,
      say: (event) => {
        if (held === undefined || event.type === "warning") view.say(event);
        else held.push(event);
      },
    },
    release: () => {
      const events = held ?? [];
      held = undefined;
      for (const event of events) view.say(event);
    },
  };
};
