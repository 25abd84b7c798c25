"""ThinkMate: a Telegram companion whose memory its owner can read, correct and trust."""
