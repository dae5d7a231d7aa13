"""The server for agents: the library's questions and verbs as tools of the Model Context Protocol.

A tool reads its arguments leniently, asks one method of ``Lore``, and gives an answer that fits its schema and the
room there is. What an agent may write, and which scope it sees, is held below, by the library.
"""
