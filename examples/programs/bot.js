// A player in JavaScript: picks an option at random. See docs/bots.md for the lines.
//
//     ./run play first-battle --player "japan=exec:node examples/programs/bot.js"

const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const message = JSON.parse(line);
  const answer = "ask" in message
    ? { ask: message.ask, choose: Math.floor(Math.random() * message.options.length) }
    : { flagplot: 1 };
  process.stdout.write(JSON.stringify(answer) + "\n");
});
