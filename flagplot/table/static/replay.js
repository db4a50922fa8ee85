/* The replay by keys and by itself: arrow keys from anywhere, Space or the button plays and pauses. Without this script
   the links and the slider of the page do the same, step by step. */
(() => {
  "use strict";

  const PACE = 1500;
  const slider = document.querySelector("#step");
  const button = document.querySelector("[data-replay=play]");
  if (!slider || !button) return;
  document.documentElement.classList.add("js");
  let timer = 0;

  const last = () => Number(slider.max);

  function go(step) {
    const wanted = Math.min(last(), Math.max(0, step));
    if (wanted === Number(slider.value)) return;
    slider.value = String(wanted);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    button.textContent = "Play";
    button.setAttribute("aria-pressed", "false");
  }

  function play() {
    if (Number(slider.value) >= last()) go(0);
    button.textContent = "Pause";
    button.setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      go(Number(slider.value) + 1);
      if (Number(slider.value) >= last()) pause();
    }, PACE);
  }

  function toggle() {
    if (timer) pause();
    else play();
  }

  button.hidden = false;
  button.addEventListener("click", toggle);

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-to]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    pause();
    go(Number(link.dataset.to));
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    if (event.target.closest("input, select, textarea, dialog[open], .mapbox")) return;
    const steps = { ArrowLeft: Number(slider.value) - 1, ArrowRight: Number(slider.value) + 1, Home: 0, End: last() };
    if (event.key in steps) {
      event.preventDefault();
      pause();
      go(steps[event.key]);
    } else if (event.key === " " && !event.target.closest("button, summary, a")) {
      event.preventDefault();
      toggle();
    }
  });
})();
